package sim

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime/debug"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// StampOf returns what a document of a file says about the file. The caller adds the
// version, the commit and the command.
func StampOf(f *scenarios.File) results.Stamp {
	source := sha256.Sum256(f.Source)
	return results.Stamp{
		Tool: "limitgauge", ScenarioFile: f.Path, ScenarioSHA256: hex.EncodeToString(source[:]),
		Scenario: string(f.Effective()), Seed: f.Seed,
	}
}

// ModuleVersion returns the version of this module in a program that uses it, or
// "devel".
func ModuleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range append(info.Deps, &info.Main) {
			if m.Path == "github.com/limitgauge/limitgauge" && m.Version != "" && m.Version != "(devel)" {
				return m.Version
			}
		}
	}
	return "devel"
}
