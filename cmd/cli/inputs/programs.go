package inputs

import (
	"maps"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/sim/outside/process"
)

// CommandWords splits a command line into a program and its arguments, as a shell
// does, without expanding anything. flag names the value in an error.
func CommandWords(flag, line string) ([]string, error) {
	words, err := process.Words(line)
	if err != nil {
		return nil, usage.Errorf("%s: %w", flag, err)
	}
	return words, nil
}

// Programs binds the values of --exec, each NAME=COMMAND, to definitions of
// algorithms by name.
func Programs(values []string) (definitions map[string]any, names []string, err error) {
	definitions = map[string]any{}
	for _, value := range values {
		name, line, ok := strings.Cut(value, "=")
		if !ok || strings.TrimSpace(name) == "" {
			return nil, nil, usage.Errorf("--exec: want NAME=COMMAND, such as 'mine=python3 limiter.py', not %q", value)
		}
		words, err := CommandWords("--exec "+name, line)
		if err != nil {
			return nil, nil, err
		}
		if definitions[name] != nil {
			return nil, nil, usage.Errorf("--exec: %s is given twice", name)
		}
		definitions[name] = map[string]any{"exec": words}
	}
	return definitions, slices.Sorted(maps.Keys(definitions)), nil
}
