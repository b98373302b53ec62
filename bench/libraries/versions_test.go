package libraries

import (
	"fmt"
	"os/exec"
	"strings"
)

// versions returns the version of each module of this module's build list. Test
// programs have no build info of modules, so the go command is asked.
func versions() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-m", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("go list -m all: %w", err)
	}
	of := map[string]string{}
	for line := range strings.Lines(string(out)) {
		if module, version, found := strings.Cut(strings.TrimSpace(line), " "); found {
			of[module] = version
		}
	}
	return of, nil
}
