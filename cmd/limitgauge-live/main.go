//go:build network

package main

import (
	"os"

	"github.com/limitgauge/limitgauge/cmd/cli"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/postgres"
	"github.com/limitgauge/limitgauge/live/targets/redis"
	"github.com/limitgauge/limitgauge/live/targets/rls"
	"github.com/limitgauge/limitgauge/search/jetstream"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// version is set by a release build with -ldflags "-X main.version=v1.2.3". Any
// other build uses the version that the go command recorded.
var version string

func main() {
	os.Exit(cli.Process(version, cli.Own{
		Targets: []targets.Kind{rls.Kind(), redis.Kind(), postgres.Kind()},
		Service: &jobs.Service{Check: jetstream.Check, Open: jetstream.Open, Work: jetstream.Work},
	}))
}
