package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"unicode"
)

// shell runs the commands of the pages with the current program.
type shell struct {
	root   string
	dir    string // of the built program
	binary string
}

func (s *shell) close() {
	if s.dir != "" {
		os.RemoveAll(s.dir)
	}
}

// transcript returns a command and its output on stdout as a console block, with
// the exit code if that is not 0. The command runs in the module's root.
func (s *shell) transcript(command string) (string, error) {
	words, err := split(command)
	if err != nil {
		return "", err
	}
	if len(words) == 0 || words[0] != "limitgauge" {
		return "", fmt.Errorf("%q does not start with limitgauge", command)
	}
	out, code, err := s.run(words[1:]...)
	if err != nil {
		return "", err
	}
	if code != 0 {
		out += fmt.Sprintf("(exit code %d)\n", code)
	}
	var text strings.Builder
	for _, line := range strings.Split(strings.TrimRight(out, "\n"), "\n") {
		text.WriteString(strings.TrimRightFunc(line, unicode.IsSpace) + "\n")
	}
	return "```console\n$ " + command + "\n" + text.String() + "```\n", nil
}

// run runs the program in the module's root and returns its output on stdout.
// Exit codes 1 and 2 are errors.
func (s *shell) run(args ...string) (stdout string, code int, err error) {
	if err := s.build(); err != nil {
		return "", 0, err
	}
	run := exec.Command(s.binary, args...)
	run.Dir = s.root
	run.Env = append(os.Environ(), "NO_COLOR=1", "TERM=dumb")
	var out, complaints bytes.Buffer
	run.Stdout, run.Stderr = &out, &complaints
	err = run.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() > 2 {
		return out.String(), exit.ExitCode(), nil
	}
	if err != nil {
		return "", 0, fmt.Errorf("limitgauge %s: %w\n%s", strings.Join(args, " "), err, complaints.String())
	}
	return out.String(), 0, nil
}

// build builds the program once.
func (s *shell) build() error {
	if s.binary != "" {
		return nil
	}
	dir, err := os.MkdirTemp("", "limitgauge-docs")
	if err != nil {
		return err
	}
	s.dir = dir
	binary := filepath.Join(dir, "limitgauge.exe") // Windows runs no file without the extension
	build := exec.Command("go", "build", "-buildvcs=false", "-o", binary, "./cmd/limitgauge")
	build.Dir = s.root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("go build ./cmd/limitgauge: %w\n%s", err, out)
	}
	s.binary = binary
	return nil
}

// split splits a command line into words. Single and double quotes group words.
func split(command string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range command {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inside = r, true
		case r == ' ':
			if inside {
				words = append(words, word.String())
			}
			word.Reset()
			inside = false
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("%q has an open quote", command)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}
