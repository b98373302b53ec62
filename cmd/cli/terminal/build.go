package terminal

import (
	"cmp"
	"runtime/debug"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

// stamp identifies a build of the program.
type stamp struct {
	Version string // a release such as v1.2.3, a pseudo-version of a checkout, or devel
	Commit  string // revision, followed by -dirty if files were changed; unknown outside a checkout
}

// BuildStamp reads the stamp of the running program. `go install ...@v1.2.3`
// records v1.2.3, `go build` in a checkout records the commit, and `go run`
// records neither.
func (h *Host) BuildStamp() stamp {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return stampOf(h.Version, info)
}

// stampOf combines the version that the linker set, if any, with build info.
func stampOf(linked string, info *debug.BuildInfo) stamp {
	recorded := info.Main.Version
	if recorded == "(devel)" {
		recorded = ""
	}
	s := stamp{Version: cmp.Or(linked, recorded, "devel"), Commit: "unknown"}
	dirty := false
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			s.Commit = setting.Value
		case "vcs.modified":
			dirty = setting.Value == "true"
		}
	}
	if dirty {
		s.Commit += "-dirty"
	}
	return s
}

// StampOf returns the stamp of a document of a file.
func (h *Host) StampOf(f *scenarios.File, rerun string) results.Stamp {
	build, stamp := h.BuildStamp(), sim.StampOf(f)
	stamp.Version, stamp.Commit, stamp.Rerun = build.Version, build.Commit, rerun
	return stamp
}
