// Package samedraws makes the property tests of a package that imports it draw
// the same inputs in every run, so that a check of one commit cannot pass today
// and fail tomorrow. To look for what those draws miss, ask for others, and more
// of them:
//
//	RAPID_SEED=0 RAPID_CHECKS=5000 go test -count=1 ./... # 0 is another seed each time
package samedraws

import (
	"flag"
	"os"

	_ "pgregory.net/rapid" // whose flags are there before they are set
)

func init() {
	if os.Getenv("RAPID_SEED") != "" {
		return
	}
	if err := flag.Set("rapid.seed", "1"); err != nil {
		panic("samedraws: " + err.Error())
	}
}
