package house

import (
	"fmt"
	"slices"
)

// checkCobra finds packages besides the commands that import cobra or its flags, so
// that an importer of any other package does not need them.
func checkCobra(t *tree) (problems []string) {
	for _, s := range t.sources {
		if underAny(s.dir(), "cmd/cli", "docs/reference") {
			continue
		}
		for _, imported := range s.imports {
			if underAny(imported, "github.com/spf13/cobra", "github.com/spf13/pflag") {
				problems = append(problems, fmt.Sprintf("%s imports %s: only cmd/cli and docs/reference do", s.path, imported))
			}
		}
	}
	return problems
}

// checkNetwork finds files with the tag network outside of the folders that hold
// what limitgauge-live alone has. Tests may have the tag anywhere.
func checkNetwork(t *tree) (problems []string) {
	tagged := []string{"cmd/limitgauge-live", "live/targets/postgres", "live/targets/redis", "live/targets/rls", "search/jetstream"}
	for _, s := range t.sources {
		if !s.isTest() && slices.Contains(s.tags, "network") && !slices.Contains(tagged, s.dir()) {
			problems = append(problems, fmt.Sprintf("%s has the build tag network: what limitgauge-live alone has stands in %q", s.path, tagged))
		}
	}
	return problems
}
