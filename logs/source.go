package logs

import (
	"io"
	"os"
	"path/filepath"

	"github.com/limitgauge/limitgauge/logs/text"
)

// progressStep is the number of bytes between two calls of Options.Progress.
const progressStep = 1 << 20

// sources opens the files one after the other and counts the bytes read.
type sources struct {
	o     *Options
	total int64 // bytes of all files; 0 if a file has no size
	read  int64
	next  int64 // when to report progress again
}

func newSources(o *Options) *sources {
	s := &sources{o: o}
	if o.Progress == nil {
		return s
	}
	for _, name := range o.Files {
		info, err := os.Stat(o.Places.path(name))
		if name == "-" || err != nil || !info.Mode().IsRegular() {
			s.total = 0
			return s
		}
		s.total += info.Size()
	}
	return s
}

// open returns a reader of a file's text.
func (s *sources) open(name string) (t *text.Plain, done func(), err error) {
	var raw io.Reader
	shut := func() {}
	switch {
	case name != "-":
		f, err := os.Open(s.o.Places.path(name))
		if err != nil {
			return nil, nil, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, nil, text.ErrDirectory
		}
		raw, shut = f, func() { f.Close() }
	case s.o.Stdin != nil:
		raw = s.o.Stdin
	default:
		raw = os.Stdin
	}
	t, err = text.Unpack(name, &counted{s, raw})
	if err != nil {
		shut()
		return nil, nil, err
	}
	return t, shut, nil
}

// counted is a reader that reports progress.
type counted struct {
	s *sources
	r io.Reader
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	s := c.s
	s.read += int64(n)
	if s.o.Progress != nil && s.read >= s.next {
		s.next = s.read + progressStep
		s.o.Progress(s.read, s.total)
	}
	return n, err
}

// done reports the final count.
func (s *sources) done() {
	if s.o.Progress != nil {
		s.o.Progress(s.read, s.total)
	}
}

// fileKeys returns the names of files as keys: the last element of each path,
// or the whole path if two files share it.
func fileKeys(files []string) []string {
	count := map[string]int{}
	for _, f := range files {
		count[filepath.Base(f)]++
	}
	names := make([]string, len(files))
	for i, f := range files {
		switch base := filepath.Base(f); {
		case f == "-":
			names[i] = "stdin"
		case count[base] > 1:
			names[i] = f
		default:
			names[i] = base
		}
	}
	return names
}
