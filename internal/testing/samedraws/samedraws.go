// Package samedraws fixes the random inputs of property tests. A package that
// imports it draws the same inputs in every run, so that the tests of one
// commit always have the same result. A test draws 30 inputs, so that all tests
// of the module take about a minute; .ci/run draws 100. To test with other
// inputs, and with more of them, run:
//
//	RAPID_SEED=0 RAPID_CHECKS=5000 go test -count=1 ./... # 0 selects a new seed each time
package samedraws

import (
	"flag"
	"os"
	"strings"

	_ "pgregory.net/rapid" // defines the flags before init sets them
)

func init() {
	for env, value := range map[string]string{"RAPID_SEED": "1", "RAPID_CHECKS": "30"} {
		if os.Getenv(env) != "" {
			continue
		}
		name := strings.ToLower(strings.Replace(env, "_", ".", 1))
		if err := flag.Set(name, value); err != nil {
			panic("samedraws: " + err.Error())
		}
	}
}
