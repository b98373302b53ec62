package describe

import (
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/exec"
	"github.com/limitgauge/limitgauge/live/targets/http"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// targetEntries declares all kinds of real limiters.
func targetEntries() []catalog.Entry {
	return []catalog.Entry{http.Kind().Entry, exec.Kind().Entry, targets.Postgres(), targets.Redis(), targets.RLS()}
}

// TargetNames names all kinds of real limiters. scenarios.Targets has them too.
func TargetNames() []string { return catalog.Names(targetEntries()) }
