package reference

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode"

	"github.com/limitgauge/limitgauge/cmd/cli"
)

// word finds the words of a command line. Single and double quotes group words.
var word = regexp.MustCompile(`"[^"]*"|'[^']*'|[^ ]+`)

// transcript returns a command and its output on stdout as a console block, with
// the exit code if that is not 0.
func transcript(command string) (string, error) {
	words := word.FindAllString(command, -1)
	if len(words) == 0 || words[0] != "limitgauge" {
		return "", fmt.Errorf("%q does not start with limitgauge", command)
	}
	for i, w := range words {
		words[i] = strings.Trim(w, `"'`)
	}
	out, code, err := run(words[1:]...)
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

// reports returns, as a console block, the rows that run --reports writes for a
// scenario file of docs/examples.
func reports(name string) (string, error) {
	dir, err := os.MkdirTemp("", "reports")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "reports.csv")
	if _, _, err := run("run", "docs/examples/"+name, "--no-plots", "-q", "--reports", path); err != nil {
		return "", err
	}
	rows, err := os.ReadFile(path)
	return "```console\n$ limitgauge run docs/examples/" + name + " --no-plots --reports reports.csv\n$ cat reports.csv\n" + string(rows) + "```\n", err
}

// run runs the program and returns its output on stdout. Exit codes 1 and 2 are
// errors.
func run(args ...string) (stdout string, code int, err error) {
	var out, complaints bytes.Buffer
	nothing := func(string) (string, bool) { return "", false }
	code = cli.Run(context.Background(), args, cli.Host{In: strings.NewReader(""), Out: &out, Err: &complaints, Lookup: nothing, Still: true})
	if code == 1 || code == 2 {
		return "", 0, fmt.Errorf("limitgauge %s: exit code %d\n%s", strings.Join(args, " "), code, &complaints)
	}
	return out.String(), code, nil
}
