package cli

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version",
		Args:  usage.Arguments(0, 0),
		RunE:  func(*cobra.Command, []string) error { return a.printVersion() },
	}
}

func (a *app) printVersion() error {
	s := a.BuildStamp()
	_, err := fmt.Fprintf(a.Out, "limitgauge %s (commit %s, %s, %s/%s)\n", s.Version, s.Commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
