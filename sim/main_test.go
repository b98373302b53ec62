package sim_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain runs properties on 30 inputs, as each of them is simulated with many limiters.
// RAPID_CHECKS asks for other numbers, as the checks of each change and of each night do.
func TestMain(m *testing.M) {
	if os.Getenv("RAPID_CHECKS") == "" {
		if err := flag.Set("rapid.checks", "30"); err != nil {
			panic(err)
		}
	}
	m.Run()
}
