package house

import (
	"fmt"
	"slices"
)

var (
	rootFolders = []string{"algorithms", "bench", "check", "cmd", "docs", "gauge", "internal", "live", "logs", "report", "scenarios", "search", "sim"}
	rootFiles   = []string{"CHANGELOG.md", "LICENSE", "README.md", "action.yml", "go.mod", "go.sum", "scenarios.yaml"}
)

// checkRoot finds folders and files that the root has and should not have, and
// those that it lacks.
func checkRoot(t *tree) []string {
	return append(differences("folder", t.folders, rootFolders), differences("file", t.files, rootFiles)...)
}

func differences(kind string, got, want []string) (problems []string) {
	for _, name := range got {
		if !slices.Contains(want, name) {
			problems = append(problems, fmt.Sprintf("the root has the %s %s: a reader meets the root first, so put it into one of the folders there, or list it here with a reason in docs/architecture.md", kind, name))
		}
	}
	for _, name := range want {
		if !slices.Contains(got, name) {
			problems = append(problems, fmt.Sprintf("the root lacks the %s %s: strike it from the list here and from docs/architecture.md", kind, name))
		}
	}
	return problems
}
