package inputs

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/scenarios"
)

// FileSet holds the files that a command reads and writes. Each command fills it
// before any work, and check refuses an output that is an input or another output.
type FileSet struct {
	read, written, streams []namedFile
	Plots                  string // the folder of plots, or ""

	Source Source // the scenario file, once Open has read it
	host   *terminal.Host
}

// namedFile is a file that something names.
type namedFile struct {
	what string      // that names it, such as "-o s.yaml" or "the log a.csv"
	path string      // of the file that writing to it creates or replaces
	info os.FileInfo // nil if there is no such file
}

// NewFileSet returns a set of the files behind the standard streams. Only a shell knows
// their names.
func NewFileSet(h *terminal.Host) *FileSet {
	s := &FileSet{host: h}
	in, out, errs := h.Streams()
	s.read = stream(s.read, "the file of standard input", in)
	s.streams = stream(s.streams, "standard output", out)
	s.streams = stream(s.streams, "standard error", errs)
	return s
}

// stream adds an open file to a list if it is a regular one.
func stream(list []namedFile, what string, file any) []namedFile {
	if f, ok := file.(*os.File); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			return append(list, namedFile{what: what, info: info})
		}
	}
	return list
}

// Reads adds an input. what describes it, such as "the log".
func (s *FileSet) Reads(what, name string) {
	if name != "" && name != "-" {
		s.read = append(s.read, fileNamed(what, name))
	}
}

// Writes adds an output. flag is what names it. Output to a device, a pipe or a
// standard stream replaces nothing and may be asked for twice.
func (s *FileSet) Writes(flag, name string) {
	if name == "" || report.Stream(name) != nil {
		return
	}
	if f := fileNamed(flag, name); f.info == nil || f.info.Mode().IsRegular() {
		s.written = append(s.written, f)
	}
}

func fileNamed(what, name string) namedFile {
	info, err := os.Stat(name)
	if err != nil {
		info = nil
	}
	return namedFile{what + " " + name, report.Target(name), info}
}

// Scenarios returns what adds a scenario file to the files of a command.
func Scenarios(what, name string) func(*FileSet) error {
	return func(s *FileSet) error {
		if !IsSuite(name) { // a shipped one is no file
			s.Reads(what, name)
		}
		return nil
	}
}

// CheckLogs adds the logs that the scenario file names, also one with problems, and
// checks the set again.
func (s *FileSet) CheckLogs() error {
	src := s.Source
	for _, name := range scenarios.LogFiles(src.Text) {
		if !filepath.IsAbs(name) && name != "-" {
			name = filepath.Join(src.Dir, name)
		}
		found, _ := logs.Expand([]string{name}) // loading reports the error
		for _, name := range found {
			s.Reads("the log", name)
		}
	}
	return s.Check()
}

// same reports whether two names stand for one file. A name that cannot be read, such as
// that of a file with a slash behind it, can still be one that is written to.
func (f namedFile) same(g namedFile) bool {
	if f.info != nil && g.info != nil {
		return os.SameFile(f.info, g.info)
	}
	return samePath(f.path, g.path)
}

// samePath compares paths of files that may not exist. The usual file systems of
// Windows and macOS ignore case.
func samePath(a, b string) bool {
	return a == b || (runtime.GOOS == "windows" || runtime.GOOS == "darwin") && strings.EqualFold(a, b)
}

// Check returns an error that names both if an output is an input or another output.
func (s *FileSet) Check() error {
	for i, out := range s.written {
		if j := slices.IndexFunc(s.read, out.same); j >= 0 {
			return usage.Errorf("%s: is %s, which this command reads; choose another file", out.what, s.read[j].what)
		}
		if j := slices.IndexFunc(s.written[:i], out.same); j >= 0 {
			return usage.Errorf("%s: is the file of %s too; choose another file", out.what, s.written[j].what)
		}
		if j := slices.IndexFunc(s.streams, out.same); j >= 0 {
			return usage.Errorf("%s: is where %s goes; choose another file", out.what, s.streams[j].what)
		}
	}
	for _, out := range s.streams {
		if j := slices.IndexFunc(s.read, out.same); j >= 0 {
			return usage.Errorf("%s goes to %s, which this command reads; choose another file", out.what, s.read[j].what)
		}
	}
	return s.checkPlots()
}

// checkPlots returns an error if a plot could replace an input or an output. Any PNG
// file in the folder counts: which plots there are depends on the results.
func (s *FileSet) checkPlots() error {
	if s.Plots == "" {
		return nil
	}
	folder := fileNamed("--plots", s.Plots)
	there := s.plotsThere()
	for _, list := range []struct {
		files []namedFile
		text  string // about one
	}{{s.read, "%s: a plot could replace %s, which this command reads; choose another folder"},
		{s.written, "%s: a plot could replace the file of %s; choose another folder"}} {
		for _, f := range list.files {
			if f.info == nil && samePath(f.path, folder.path) {
				return usage.Errorf("%s: is the folder of %s; choose another file", f.what, folder.what)
			}
			if isPNG(f.path) && samePath(filepath.Dir(f.path), folder.path) || slices.ContainsFunc(there, f.same) {
				return usage.Errorf(list.text, folder.what, f.what)
			}
		}
	}
	return nil
}

// plotsThere returns the PNG files in the folder of plots, some of which may be links.
func (s *FileSet) plotsThere() (files []namedFile) {
	entries, _ := os.ReadDir(s.Plots)
	for _, e := range entries {
		if isPNG(e.Name()) {
			files = append(files, fileNamed("", filepath.Join(s.Plots, e.Name())))
		}
	}
	return files
}

func isPNG(name string) bool { return strings.EqualFold(filepath.Ext(name), ".png") }
