package attack

import (
	"fmt"
	"strings"
)

// Choices states what a search may choose beside the number of requests.
type Choices struct {
	Times   bool // when requests arrive
	Clients bool // which client receives a request
	Keys    bool // which of several keys a request has
	Costs   bool // what a request costs, from 1 to the limit's count or burst
	Phases  bool // the phases of the clients' timers, and the seed of all random draws
	Faults  bool // one fault or two, of kinds that affect the limiter
}

// choiceNames lists the names of choices in the order of help.
var choiceNames = []string{"times", "clients", "keys", "costs", "phases", "faults"}

// ParseChoices reads names of choices that are separated by commas. The error lists
// the names that there are.
func ParseChoices(text string) (c Choices, err error) {
	fields := map[string]*bool{"times": &c.Times, "clients": &c.Clients, "keys": &c.Keys, "costs": &c.Costs, "phases": &c.Phases, "faults": &c.Faults}
	for _, name := range strings.Split(text, ",") {
		name = strings.TrimSpace(name)
		field := fields[name]
		if field == nil {
			return c, fmt.Errorf("%q is none of %s", name, strings.Join(choiceNames, ", "))
		}
		*field = true
	}
	if !c.Times {
		return c, fmt.Errorf("times is missing, without which there is no traffic to choose")
	}
	return c, nil
}
