// Package samedraws fixes the random inputs of property tests. A package that
// imports it draws the same inputs in every run, so that the tests of one
// commit always have the same result. To test with other inputs, and with more
// of them, run:
//
//	RAPID_SEED=0 RAPID_CHECKS=5000 go test -count=1 ./... # 0 selects a new seed each time
package samedraws

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // defines the flags before init sets them
)

func init() {
	if os.Getenv("RAPID_SEED") != "" {
		return
	}
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic("samedraws: " + err.Error())
	}
}
