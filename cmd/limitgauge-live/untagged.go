//go:build !network

package main

import (
	"fmt"
	"os"

	"github.com/limitgauge/limitgauge/cmd/sibling"
)

func main() {
	fmt.Fprintf(os.Stderr, "limitgauge-live: built without the tag network, so it can reach no server; install it with\n  %s\n", sibling.Install)
	os.Exit(1)
}
