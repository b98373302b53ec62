package cli

import (
	"errors"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// databaseFlags are the flags of commands that use a database server.
type databaseFlags struct {
	target string
	remote bool
}

func (f *databaseFlags) add(c *cobra.Command) {
	c.Flags().StringVar(&f.target, "target", "", "`DSN` of the PostgreSQL server: a URL or keywords with values, such as 'host=localhost dbname=test'")
	c.Flags().BoolVar(&f.remote, "allow-remote", false, "use a server on another machine")
}

// server returns the server that the flags name.
func (f *databaseFlags) server() (*postgres.Server, error) {
	if f.target == "" {
		return nil, usage.Errorf("needs --target DSN, the PostgreSQL server; keep its password in PGPASSWORD or a password file")
	}
	s, err := postgres.Parse(f.target, f.remote)
	if err != nil {
		return nil, usage.Wrong(err)
	}
	return s, nil
}

// processorsOf returns the processors of a server: as given, or those of this
// machine if the server runs here.
func processorsOf(s *postgres.Server, given int) (int, error) {
	switch {
	case given < 0:
		return 0, usage.Errorf("--processors %d: want at least 1", given)
	case given > 0:
		return given, nil
	case s.Remote():
		return 0, usage.Wrong(errors.New("a server on another machine needs --processors, the number of its processors"))
	}
	return runtime.GOMAXPROCS(0), nil
}
