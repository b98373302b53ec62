// Reference rewrites the generated parts of the pages in docs: declarations of
// the catalog, scenario files of docs/examples, and outputs of commands. It also
// writes the files that are generated as a whole: the schema for editors and the
// manual pages. Run it from anywhere in the module:
//
//	go generate ./docs/reference
//
// A generated part lies between two comments. The first one names its origin:
//
//	<!-- generated: counter token-bucket -->
//	...
//	<!-- end -->
//
// The test of this package fails if a page or file differs from what this program
// would write. So the numbers on a page are those that the program prints today.
package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
		if err := site.write(path, old, text); err != nil {
			return err
		}
	}
	files, err := site.files()
	if err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(site.root, name)
		old, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err := site.write(path, string(old), text); err != nil {
			return err
		}
	}
	return nil
}

// write replaces a file if its text has changed.
func (s *site) write(path, old, text string) error {
	if old == text {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Printf("rewrote %s\n", s.short(path))
	return nil
}
