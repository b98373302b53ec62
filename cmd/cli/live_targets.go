package cli

import (
	"errors"
	"os"
	"slices"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/cmd/sibling"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/exec"
	"github.com/limitgauge/limitgauge/live/targets/http"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// targetKinds returns the kinds of real limiters that this program can open, and the
// names of those that only limitgauge-live can.
func (a *app) targetKinds() (here []targets.Kind, elsewhere []string) {
	here = append([]targets.Kind{http.Kind(), exec.Kind()}, a.Own.Targets...)
	for _, name := range describe.TargetNames() {
		if !slices.ContainsFunc(here, func(k targets.Kind) bool { return k.Entry.Name == name }) {
			elsewhere = append(elsewhere, name)
		}
	}
	return here, elsewhere
}

// targetKind returns a kind by its name. If only limitgauge-live has it, that program
// takes over.
func (a *app) targetKind(name string) (targets.Kind, error) {
	if name == "" {
		return targets.Kind{}, usage.Errorf("--target is missing: want %s", catalog.Join(describe.TargetNames()))
	}
	here, elsewhere := a.targetKinds()
	for _, k := range here {
		if k.Entry.Name == name {
			return k, nil
		}
	}
	if slices.Contains(elsewhere, name) {
		path, err := sibling.Find()
		if err != nil {
			return targets.Kind{}, usage.Errorf("--target %s: %w", name, err)
		}
		code, err := sibling.Start(path, os.Args[1:])
		return targets.Kind{}, errors.Join(err, usage.Code(code))
	}
	return targets.Kind{}, usage.Choice("target", name, describe.TargetNames())
}
