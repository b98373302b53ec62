package house

import (
	"os"
	"testing"
)

// rule is something that holds of the tree. Its check returns a line for each
// place at which it does not hold.
type rule struct {
	name  string
	check func(*tree) []string
}

var rules = []rule{
	{"root", checkRoot},
	{"floors", checkFloors},
	{"test helpers", checkTestHelpers},
	{"programs of users", checkPrograms},
	{"size of packages", checkPackages},
	{"size of folders", checkFolders},
	{"cobra", checkCobra},
	{"tag network", checkNetwork},
	{"promises", checkPromises},
}

// TestRules checks all rules against this repository.
func TestRules(t *testing.T) {
	house, err := readTree(os.DirFS("../../.."))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, problem := range r.check(house) {
				t.Error(problem)
			}
		})
	}
}
