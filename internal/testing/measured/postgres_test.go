//go:build network && unix

package measured

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/pgtest"
	"github.com/limitgauge/limitgauge/live/database/functions"
)

// function returns a measurement of a function in a database of its own.
func function(scenario, database, figure string) measurement {
	return measurement{
		scenario: scenario, target: "postgres", address: []string{"dbname=" + database},
		options: []string{"query=select take_token($1, 20, 1)", "parameters={run}-{key}"}, figure: figure,
	}
}

// unlocked is the file of a function that reads, computes and writes without a lock.
const unlocked = "internal/testing/measured/testdata/unlocked.sql"

var sqlFunctions = []struct {
	measurement
	database, variant string // no variant is unlocked
}{
	{function("sql as published", "published", "under_admission_pct").keepsTooWell(), "published", "published"},
	{function("sql below twice the limit", "rounding", "over_limit_pct").over(), "rounding", "row-lock"},
	{function("sql row lock", "rowlock", "under_admission_pct").keepsTooWell(), "rowlock", "row-lock"},
	{function("sql exact", "exact", "over_limit_pct").keeps(), "exact", "exact"},
	{because(function("sql without lock", "unlocked", "over_limit_pct").over(), whyUnlocked), "unlocked", ""},
}

// whyUnlocked states a figure that the scenario holds.
const whyUnlocked = `the answers take 2.5 ms, and longer on a busy machine, of which the function works 2 ms. The simulation takes all of it for a
  network with varying latency, so some pairs are no longer decided at once. With a network of 0.3 ms,
  ` + "`limitgauge run scenarios.yaml --scenario 'sql without lock nearby'` predicts 121.1 %."

// TestWhy checks the figure of whyUnlocked.
func TestWhy(t *testing.T) {
	t.Parallel()
	c := exec.CommandContext(t.Context(), os.Args[0], "gate", scenarioFile)
	c.Env = append(os.Environ(), asProgram+"=1")
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestPostgres(t *testing.T) {
	t.Parallel()
	starting(t)
	server := pgtest.Start(t, "fsync=off")
	for _, f := range sqlFunctions {
		t.Run(f.scenario, func(t *testing.T) {
			text, err := os.ReadFile(unlocked)
			script := string(text)
			if f.variant != "" {
				script, err = functions.Install{Variant: f.variant}.Script()
			}
			if err != nil {
				t.Fatal(err)
			}
			server.Do(t, fmt.Sprintf("create database %s;\n\\c %[1]s\n%s", f.database, script))
			t.Parallel()
			f.run(t, nil, fmt.Sprintf("host=%s user=limitgauge dbname=%s", server.Socket, f.database))
		})
	}
}
