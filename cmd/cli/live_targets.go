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

// targetKind returns a kind by its name. If only limitgauge-live has it, that program
// takes over.
func (a *app) targetKind(name string) (targets.Kind, error) {
	if name == "" {
		return targets.Kind{}, usage.Errorf("--target is missing: want %s", catalog.Join(describe.TargetNames()))
	}
	kinds := append([]targets.Kind{http.Kind(), exec.Kind()}, a.Own.Targets...)
	if i := slices.IndexFunc(kinds, func(k targets.Kind) bool { return k.Entry.Name == name }); i >= 0 {
		return kinds[i], nil
	}
	if slices.Contains(describe.TargetNames(), name) {
		path, err := sibling.Find()
		if err != nil {
			return targets.Kind{}, usage.Errorf("--target %s: %w", name, err)
		}
		code, err := sibling.Start(path, os.Args[1:])
		return targets.Kind{}, errors.Join(err, usage.Code(code))
	}
	return targets.Kind{}, usage.Choice("target", name, describe.TargetNames())
}
