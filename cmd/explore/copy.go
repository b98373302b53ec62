package explore

import (
	"context"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/scenarios"
)

// CopyQuestion asks for a view as text.
type CopyQuestion struct {
	View View `json:"view"`
}

// Copied is a view as a scenario file, and as a command that gives its figures.
type Copied struct {
	YAML    string `json:"yaml"`
	Command string `json:"command"`
}

// endOfFile ends the scenario file within the command.
const endOfFile = "END_OF_SCENARIO"

// Copy returns a view as a file and as a command.
func (e *Explorer) Copy(_ context.Context, q CopyQuestion) (*Copied, error) {
	_, text, err := e.bind(q.View)
	if err != nil {
		return nil, err
	}
	command := "limitgauge run - --no-plots <<'" + endOfFile + "'\n" + string(text) + endOfFile + "\n"
	// Logs are relative to the folder of the file.
	if dir := e.files[q.View.Scenario].Dir; dir != "" && dir != "." && len(scenarios.LogFiles(text)) > 0 {
		command = "cd " + format.ShellQuote(dir) + " && " + command
	}
	if q.View.plain() && !strings.HasPrefix(e.o.Name, "-") {
		command = "limitgauge run " + format.ShellQuote(e.o.Name) + " --no-plots --scenario " + format.ShellQuote(q.View.Scenario)
		for _, set := range e.o.Sets {
			command += " --set " + format.ShellQuote(set)
		}
		command += "\n"
	}
	return &Copied{YAML: string(text), Command: command}, nil
}

// plain reports whether a view is what the file says.
func (v *View) plain() bool {
	return v.Rows == nil && v.Faults == nil && !v.NoFaults && len(v.Sets) == 0
}
