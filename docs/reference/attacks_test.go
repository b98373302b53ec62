package reference

import (
	"fmt"
	"regexp"
	"strings"
)

// attackEach begins the command of a table that has a row for each preset.
const attackEach = "$ limitgauge attack EACH "

// worstFound finds the figures in the output of attack, and boundFound the bound of
// theory that follows one.
var (
	worstFound = regexp.MustCompile(`(?m)^worst [a-z_]+: ([^,\n]+)`)
	boundFound = regexp.MustCompile(`(?m)^theory: never above ([^(\n]+) \(`)
)

// attacks returns a table with the worst figures of each preset under the same flags.
// It attacks only the presets that have no row in the earlier table.
func attacks(flags, earlier string) (string, error) {
	var out strings.Builder
	out.WriteString("| algorithm | most at once | theory | refused wrongly | bursts |\n| --- | --- | --- | --- | --- |\n")
	for _, p := range all.Counting() {
		row, known := rowOf(p.Name, earlier)
		if !known {
			var err error
			if row, err = attackOn(p.Name, flags); err != nil {
				return "", err
			}
		}
		out.WriteString(row)
	}
	return out.String(), nil
}

// rowOf returns the row of a preset in a table, with its line's end.
func rowOf(preset, table string) (row string, ok bool) {
	for line := range strings.Lines(table) {
		if strings.HasPrefix(line, "| `"+preset+"` |") {
			return line, true
		}
	}
	return "", false
}

// attackOn attacks a preset and returns its row.
func attackOn(preset, flags string) (row string, err error) {
	text, _, err := run(append([]string{"attack", preset}, strings.Fields(flags)...)...)
	if err != nil {
		return "", err
	}
	worst := worstFound.FindAllStringSubmatch(text, -1)
	if len(worst) != 2 {
		return "", fmt.Errorf("attack %s printed %d figures, want 2", preset, len(worst))
	}
	bound, bursts := "-", "limited"
	if m := boundFound.FindStringSubmatch(text); m != nil {
		bound = m[1]
	}
	if strings.HasPrefix(text, "unlimited: ") {
		bursts = "all admitted"
	}
	return fmt.Sprintf("| `%s` | %s | %s | %s | %s |\n", preset, worst[0][1], bound, worst[1][1], bursts), nil
}
