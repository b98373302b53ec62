// Reference rewrites the generated parts of the pages in docs: what the
// catalogue declares, the scenario files of docs/examples, and what commands
// print. Run it from anywhere in the module:
//
//	go generate ./docs/reference
//
// A generated part stands between two comments, the first of which says what
// it is made from:
//
//	<!-- generated: counter token-bucket -->
//	...
//	<!-- end -->
//
// The test of this package fails while a page is not what this program would
// write, so a figure in a page is always one that the tool prints today.
package main

import (
	"fmt"
	"os"
)

//go:generate go run .

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "reference: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	site, err := openSite()
	if err != nil {
		return err
	}
	defer site.close()
	pages, err := site.pages()
	if err != nil {
		return err
	}
	for _, path := range pages {
		old, text, err := site.rewrite(path)
		if err != nil {
			return err
		}
		if old == text {
			continue
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
		fmt.Printf("rewrote %s\n", site.short(path))
	}
	return nil
}
