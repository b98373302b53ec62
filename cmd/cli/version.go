package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// stamp identifies a build of the program.
type stamp struct {
	version string // a release such as v1.2.3, a pseudo-version of a checkout, or devel
	commit  string // revision, followed by -dirty if files were changed; unknown outside a checkout
}

// buildStamp reads the stamp of the running program. `go install ...@v1.2.3`
// records v1.2.3, `go build` in a checkout records the commit, and `go run`
// records neither.
func (a *app) buildStamp() stamp {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return stampOf(a.Version, info)
}

// stampOf combines the version that the linker set, if any, with build info.
func stampOf(linked string, info *debug.BuildInfo) stamp {
	recorded := info.Main.Version
	if recorded == "(devel)" {
		recorded = ""
	}
	s := stamp{version: cmp.Or(linked, recorded, "devel"), commit: "unknown"}
	dirty := false
	for _, setting := range info.Settings {
		switch setting.Key {
		case "vcs.revision":
			s.commit = setting.Value
		case "vcs.modified":
			dirty = setting.Value == "true"
		}
	}
	if dirty {
		s.commit += "-dirty"
	}
	return s
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  arguments(0, 0),
		RunE: func(*cobra.Command, []string) error {
			s := a.buildStamp()
			fmt.Fprintf(a.Out, "limitgauge %s (commit %s, %s, %s/%s)\n", s.version, s.commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
