package reference

import (
	"fmt"
	"regexp"
	"strings"
)

// worstFound finds the figures in the output of attack, and boundFound the bound of
// theory that follows one.
var (
	worstFound = regexp.MustCompile(`(?m)^worst [a-z_]+: ([^,\n]+)`)
	boundFound = regexp.MustCompile(`(?m)^theory: never above ([^(\n]+) \(`)
)

// attacks returns a table with the worst figures of each algorithm under the same
// flags.
func attacks(flags string) (string, error) {
	var out strings.Builder
	out.WriteString("| algorithm | most at once | theory | refused wrongly | bursts |\n| --- | --- | --- | --- | --- |\n")
	for _, p := range all.Presets {
		text, _, err := run(append([]string{"attack", p.Name}, strings.Fields(flags)...)...)
		if err != nil {
			return "", err
		}
		worst := worstFound.FindAllStringSubmatch(text, -1)
		if len(worst) != 2 {
			return "", fmt.Errorf("attack %s printed %d figures, want 2", p.Name, len(worst))
		}
		bound, bursts := "-", "limited"
		if m := boundFound.FindStringSubmatch(text); m != nil {
			bound = m[1]
		}
		if strings.HasPrefix(text, "unlimited: ") {
			bursts = "all admitted"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s | %s |\n", p.Name, worst[0][1], bound, worst[1][1], bursts)
	}
	return out.String(), nil
}
