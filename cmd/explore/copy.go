package explore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
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
	return &Copied{YAML: string(text), Command: e.command(q.View, string(text))}, nil
}

// command returns the command that gives the figures of a view with this text: on the file
// with what differs, or on the text where no settings of the file give it.
func (e *Explorer) command(v View, text string) string {
	sets := lists.Map(v.sets(), func(s scenarios.Set) string { return s.Path + "=" + s.Value })
	for _, more := range [][]string{nil, e.bursts(v)} {
		all := slices.Concat(e.o.Sets, sets, more)
		if !strings.HasPrefix(e.o.Name, "-") && e.gives(v.Scenario, all, text) {
			words := []string{"limitgauge run", format.ShellQuote(e.o.Name), "--no-plots --scenario", format.ShellQuote(v.Scenario)}
			for _, set := range all {
				words = append(words, "--set", format.ShellQuote(set))
			}
			return strings.Join(words, " ") + "\n"
		}
	}
	command := "limitgauge run - --no-plots <<'" + endOfFile + "'\n" + text + endOfFile + "\n"
	// Logs are relative to the folder of the file.
	if dir := e.files[v.Scenario].Dir; dir != "" && dir != "." && len(scenarios.LogFiles([]byte(text))) > 0 {
		command = "cd " + format.ShellQuote(dir) + " && " + command
	}
	return command
}

// bursts returns settings that keep the bursts of the page. A limit moves the burst of a file
// that does not set one, and does not move that of the page.
func (e *Explorer) bursts(v View) (sets []string) {
	for path, burst := range e.values[v.Scenario] {
		set := func(s [2]string) bool { return s[0] == path }
		if strings.HasPrefix(path, "polic") && strings.HasSuffix(path, ".burst") && !slices.ContainsFunc(v.Sets, set) {
			sets = append(sets, fmt.Sprintf("%s=%d", path, burst))
		}
	}
	slices.Sort(sets)
	return sets
}

// gives reports whether the file with these settings is the view with this text.
func (e *Explorer) gives(scenario string, sets []string, text string) bool {
	o := scenarios.Overrides{Only: []string{scenario}, Sets: sets}
	f, problems := scenarios.LoadSound(e.o.Name, e.source, e.files[scenario].Dir, e.o.Catalog, o)
	if len(problems) > 0 || f.Override(o) != nil {
		return false
	}
	one, problems := f.Base(furtherColumns()).With(scenario, nil)
	return len(problems) == 0 && string(one.Effective()) == text
}
