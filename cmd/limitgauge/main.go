// Command limitgauge simulates traffic against rate limiters and measures how
// accurate they are. See `limitgauge --help`.
package main

import (
	"os"

	"github.com/limitgauge/limitgauge/cmd/cli"
)

// version is set by a release build with -ldflags "-X main.version=v1.2.3". Any
// other build uses the version that the go command recorded.
var version string

func main() { os.Exit(cli.Process(version, cli.Own{})) }
