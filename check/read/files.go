package read

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// File is a text to read.
type File struct {
	Name string
	Text []byte
	Line int // of the file in which the text stands, before its first line

	part   bool   // it stands in another file
	dumped bool   // nginx -T printed it
	docs   []node // of YAML, if they have been read
}

// header begins each file in the output of nginx -T.
var header = regexp.MustCompile(`(?m)^# configuration file (.+):\r?\n`)

// dump returns the files in the output of nginx -T, or the file itself.
func dump(f File) (files []File) {
	if f.part || !bytes.Contains(f.Text, []byte("# configuration file ")) {
		return []File{f}
	}
	found := header.FindAllSubmatchIndex(f.Text, -1)
	if found == nil {
		return []File{f}
	}
	for i, m := range found {
		end := len(f.Text)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		files = append(files, File{Name: string(f.Text[m[2]:m[3]]), Text: f.Text[m[1]:end], dumped: true})
	}
	return files
}

// maxInclude bounds a file that is read because another includes it, in bytes.
const maxInclude = 64 << 20

var include = regexp.MustCompile(`(?:^|[\s;{])include[ \t]+["']?([^\s;"']+)`)

// includes reports whether a file of nginx includes another.
func includes(main File, name string) bool {
	return slices.ContainsFunc(include.FindAllSubmatch(main.Text, -1), func(m [][]byte) bool { return ends(name, string(m[1])) })
}

// included returns the files that a pattern of an include names: those that were given,
// by the end of their paths, and those in the folder of the main file.
func (x *nginx) included(pattern, main string) (found []File, err error) {
	found = lists.Where(x.files, func(f File) bool { return !f.part && f.Name != main && ends(f.Name, pattern) })
	if len(found) > 0 || main == "-" || slices.ContainsFunc(x.files, func(f File) bool { return f.dumped }) {
		return found, nil
	}
	home := filepath.Dir(main)
	if filepath.IsAbs(pattern) {
		full, err := filepath.Abs(home)
		inside, outside := filepath.Rel(full, pattern)
		if err != nil || outside != nil || strings.HasPrefix(inside, "..") {
			return nil, nil
		}
		pattern = inside
	}
	names, err := filepath.Glob(filepath.Join(home, pattern))
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		if info.Size() > maxInclude {
			return nil, fmt.Errorf("%s is longer than %d bytes", name, maxInclude)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		found = append(found, File{Name: name, Text: text})
	}
	return found, nil
}

// ends reports whether a file may be one that a pattern names: the ends of both paths are
// the same for as many folders as the pattern has, or two, or a name without a wildcard.
func ends(name, pattern string) bool {
	full, err := filepath.Abs(name)
	if err != nil {
		return false
	}
	have, want := strings.Split(filepath.ToSlash(full), "/"), slices.DeleteFunc(strings.Split(pattern, "/"), func(s string) bool { return s == "" || s == "." })
	n := 0
	for n < min(len(have), len(want)) {
		if ok, err := path.Match(want[len(want)-1-n], have[len(have)-1-n]); !ok || err != nil {
			break
		}
		n++
	}
	return n > 0 && (n == len(want) || n >= 2 || !strings.ContainsAny(want[len(want)-1], "*?["))
}
