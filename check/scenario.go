package check

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Scenario writes a scenario file for the rules: one scenario for each set of rules that
// apply together, so that run, explore, tune and gate can work from what was read. trace is
// the traffic of a log as YAML, "" for traffic of twice the rate. What a scenario cannot say
// is a comment in it. It returns "" if there is no rule that a scenario could have.
func (c *Config) Scenario(replicas int, trace string) string {
	sets := c.together()
	if len(sets) == 0 {
		return ""
	}
	w := &scenarioWriter{replicas: replicas, trace: trace, names: map[string]int{}}
	for _, s := range sets {
		w.set(&s)
	}
	text := "# Limits that limitgauge check has read. Run it with: limitgauge run FILE\nversion: 1\npolicies:\n" + w.policies.String() + "algorithms:\n" + w.rows.String()
	return text + "scenarios:\n" + w.scenarios.String()
}

// scenarioWriter writes the parts of a scenario file.
type scenarioWriter struct {
	replicas                  int
	trace                     string
	names                     map[string]int // how often each was used
	policies, rows, scenarios strings.Builder
}

// named returns a name that is not used yet.
func (w *scenarioWriter) named(name string) string {
	name = strings.Trim(strings.NewReplacer("*", "", "\n", " ").Replace(format.Shorten(cmp.Or(name, "limit"), 50)), " ")
	w.names[name]++
	if n := w.names[name]; n > 1 {
		return fmt.Sprintf("%s %d", name, n)
	}
	return name
}

// set is a number of rules that apply together.
type set struct {
	name  string
	rules []Rule
	none  []string // names of rules that refuse all that they meet
}

// together returns the sets of rules that apply together somewhere, and each rule alone if
// places are not known.
func (c *Config) together() (sets []set) {
	seen := map[string]bool{}
	add := func(name string, rules []int) {
		none := lists.Where(rules, func(i int) bool { return c.Rules[i].AtOnce == 0 && c.Rules[i].Limit.Window > 0 && !c.Rules[i].Only })
		rules = lists.Where(rules, func(i int) bool { return c.Rules[i].AtOnce > 0 && c.Rules[i].Limit.Count > 0 && !c.Rules[i].Only })
		if id := fmt.Sprint(rules); len(rules) > 0 && !seen[id] {
			seen[id] = true
			sets = append(sets, set{name, lists.Map(rules, func(i int) Rule { return c.Rules[i] }), lists.Map(none, func(i int) string { return c.Rules[i].Name })})
		}
	}
	for _, p := range c.Places {
		add(strings.TrimSpace(p.Name), p.Rules)
	}
	for i, r := range c.Rules {
		if !slices.ContainsFunc(sets, func(s set) bool {
			return slices.ContainsFunc(s.rules, func(of Rule) bool { return of.Position == r.Position && of.Name == r.Name })
		}) {
			add(r.Name, []int{i})
		}
	}
	return sets
}

// row returns how the system of the rules counts, as the row of a scenario, for so many
// clients, and what a row cannot say.
func (s *set) row(replicas int) (row string, clients int, cannot []string) {
	first := &s.rules[0]
	differ := func(what string, of func(r *Rule) any) {
		if slices.ContainsFunc(s.rules, func(r Rule) bool { return of(&r) != of(first) }) {
			cannot = append(cannot, "its rules differ in "+what+", and a row has one: it is that of the first")
		}
	}
	for _, name := range s.none {
		cannot = append(cannot, name+" refuses all that it meets: it is left out here")
	}
	several := ""
	if len(s.rules) > 1 {
		several = ", charge: none"
	}
	switch system := first.System; {
	case strings.HasSuffix(system, "nginx"):
		o := first.Options
		differ("burst or delay", func(r *Rule) any { return r.Options })
		switch row = fmt.Sprintf("{enforcement: central, counter: nginx-limit-req, burst: %d%s", o.Burst, several); {
		case o.NoDelay:
			row += ", nodelay: true"
		case o.Delay > 0:
			row += fmt.Sprintf(", delay: %d", o.Delay)
		}
	case system == "HAProxy":
		differ("expire", func(r *Rule) any { return r.Forget })
		if i := slices.IndexFunc(s.rules, func(r Rule) bool { return r.Before }); i >= 0 {
			cannot = append(cannot, s.rules[i].Name+" does not count the requests that it refuses: here they count")
		}
		row = "{enforcement: central, counter: haproxy-rate"
		if first.Forget > 0 {
			row += ", forget_after: " + units.FormatDuration(first.Forget)
		}
	case system == "envoyproxy/ratelimit":
		row = "{enforcement: central, counter: fixed-window, count_rejected: true"
	case strings.HasPrefix(system, "Traefik"):
		row = "{enforcement: central, counter: traefik-bucket"
		if system != "Traefik" {
			cannot = append(cannot, "Redis forgets a source to the millisecond: here it is forgotten to the second")
		}
	default:
		if row = "{enforcement: central, counter: token-bucket"; replicas > 1 {
			return "{enforcement: local, share: full, counter: token-bucket}", replicas, cannot
		}
	}
	if replicas > 1 && first.System != "envoyproxy/ratelimit" {
		cannot = append(cannot, fmt.Sprintf("%d replicas count by themselves, and their counter is central in a scenario: this is one of them", replicas))
	}
	return row + "}", 1, cannot
}

// set writes the scenario of rules that apply together.
func (w *scenarioWriter) set(s *set) {
	row, clients, cannot := s.row(w.replicas)
	if slices.ContainsFunc(s.rules, func(r Rule) bool {
		return len(r.Of.Fields) > 0 && !slices.Equal(r.Of.Fields, []string{client}) || r.Of.Value == nil || r.Adds.Value != nil
	}) {
		cannot = append(cannot, "its rules count what check computes ("+strings.Join(lists.Distinct(lists.Map(s.rules, func(r Rule) string { return r.counts() })), "; ")+"): here each key of the traffic")
	}
	if w.trace != "" && s.name != "all requests" {
		cannot = append(cannot, "where it applies ("+s.name+"): here to all requests of the log")
	}
	name := w.named("limits of " + s.name)
	fmt.Fprintf(&w.rows, "  %s: %s\n", strconv.Quote(name), row)
	fmt.Fprintf(&w.scenarios, "  - name: %s\n", strconv.Quote(name))
	for _, text := range cannot {
		fmt.Fprintf(&w.scenarios, "    # This file cannot say that %s.\n", strings.ReplaceAll(text, "\n", " "))
	}
	if clients > 1 {
		fmt.Fprintf(&w.scenarios, "    topology: {clients: %d}\n", clients)
	}
	var policies, keys []string // keys are those of the policies after the first
	longest := int64(0)
	for _, r := range s.rules {
		policy := w.named(r.Name)
		fmt.Fprintf(&w.policies, "  %s: %s\n", strconv.Quote(policy), r.policy())
		if policies = append(policies, strconv.Quote(policy)); len(policies) > 1 && !r.shared() {
			keys = append(keys, strconv.Quote(policy)+": first")
		}
		longest = max(longest, r.Limit.Window)
	}
	if len(policies) == 1 {
		fmt.Fprintf(&w.scenarios, "    policy: %s\n", policies[0])
	} else {
		fmt.Fprintf(&w.scenarios, "    policies: [%s]\n", strings.Join(policies, ", "))
	}
	descriptors := ""
	if len(keys) > 0 {
		descriptors = ", descriptors: {" + strings.Join(keys, ", ") + "}"
	}
	if w.trace != "" {
		fmt.Fprintf(&w.scenarios, "    traffic: [%s%s}]\n", strings.TrimSuffix(w.trace, "}"), descriptors)
	} else {
		rate := s.rules[0].Limit
		fmt.Fprintf(&w.scenarios, "    duration: %s\n    traffic: [{pattern: poisson, rate: %s%s}]   # twice the rate, of one key\n",
			units.FormatDuration(max(600e9, 10*longest)), units.Rate{Count: 2 * rate.Count, Per: rate.Window}, descriptors)
	}
	fmt.Fprintf(&w.scenarios, "    algorithms: [%s]\n", strconv.Quote(name))
}

// shared reports whether a rule counts all requests together.
func (r *Rule) shared() bool { return r.Of.Value != nil && len(r.Of.Fields) == 0 }

// policy returns the limit of a rule as a policy.
func (r *Rule) policy() string {
	text := fmt.Sprintf("{limit: %s", units.Rate{Count: r.Limit.Count, Per: r.Limit.Window})
	switch {
	case strings.HasSuffix(r.System, "nginx"):
		text += fmt.Sprintf(", burst: %d", r.Options.Burst+1)
	case r.System == "envoyproxy/ratelimit":
		text += ", reference: fixed-window"
	case r.System == "HAProxy":
		text += ", reference: sliding-log"
	default:
		text += fmt.Sprintf(", burst: %d", r.AtOnce)
	}
	if r.shared() {
		text += ", shared: true"
	}
	return text + "}"
}
