package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

const explored = `version: 1
replications: 3
duration: 5s
scenarios:
  - name: "it's one"
    policy: {limit: 100/s, burst: 20}
    topology: {clients: 3, network: 10ms}
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [token-bucket, batch-reported]
    expect: {batch-reported: {over_limit_pct: "<= 5"}}
`

// startExplore starts the program in a folder and returns the address of its page.
func startExplore(t *testing.T, dir string, args ...string) (c *exec.Cmd, url string) {
	t.Helper()
	c = exec.Command("limitgauge", append([]string{"explore"}, args...)...)
	c.Dir = dir
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Process.Kill(); c.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return c, strings.TrimSpace(line)
}

// askPage asks a question as the page at an address does.
func askPage(t *testing.T, url, path, question string, into any) {
	t.Helper()
	page, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	text, err := io.ReadAll(page.Body)
	if err != nil {
		t.Fatal(err)
	}
	token := regexp.MustCompile(`"token":"(\w+)"`).FindSubmatch(text)
	if token == nil {
		t.Fatal("the page has no token")
	}
	q, err := http.NewRequest("POST", url+path, strings.NewReader(question))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("X-Limitgauge-Token", string(token[1]))
	a, err := http.DefaultClient.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	if err := json.NewDecoder(a.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}

// TestExplore runs the program as a reader does: the command that the page copies prints
// the figures that the page shows, and Ctrl-C ends it with 0.
func TestExplore(t *testing.T) {
	needSignals(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.yaml"), []byte(explored), 0o666); err != nil {
		t.Fatal(err)
	}
	c, url := startExplore(t, dir, "s.yaml")
	for _, view := range []string{
		`{"scenario": "it's one"}`,
		`{"scenario": "it's one", "rows": ["batch-reported", "gcra"], "faults": ["{report-loss: {p: 20%}}"], "sets": [["traffic[0].rate", "600/s"], ["topology.network.constant.time", "1ms"]]}`,
	} {
		var shown struct{ Table string }
		var copied struct{ Command string }
		askPage(t, url, "answer", `{"view": `+view+`}`, &shown)
		askPage(t, url, "copy", `{"view": `+view+`}`, &copied)
		run := exec.Command("sh", "-c", strings.Replace(copied.Command, "--no-plots", "--no-plots -q --format markdown", 1))
		run.Dir = dir
		printed, err := run.Output()
		if err != nil {
			t.Fatalf("%s: %v", copied.Command, err)
		}
		figures, want := htmlRows(shown.Table), markdownRows(string(printed))
		if len(figures) < 3 || len(figures) != len(want) {
			t.Fatalf("the page has %q, the command prints %q", figures, want)
		}
		for i := range want {
			if !slices.Equal(figures[i], want[i][:len(figures[i])]) {
				t.Errorf("the page shows %q, the command prints %q", figures[i], want[i])
			}
		}
	}
	if err := c.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	c.Wait()
	if code := c.ProcessState.ExitCode(); code != usage.ExitOK {
		t.Errorf("after Ctrl-C: exit code %d, want 0", code)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

var (
	htmlRow  = regexp.MustCompile(`(?s)<tr><th scope="row">(.*?)</tr>`)
	htmlCell = regexp.MustCompile(`(?s)</t[hd]>`)
	htmlTag  = regexp.MustCompile(`<[^>]*>`)
)

// htmlRows returns the cells of a table of the page.
func htmlRows(text string) (rows [][]string) {
	for _, row := range htmlRow.FindAllStringSubmatch(text, -1) {
		var cells []string
		for _, cell := range htmlCell.Split(row[1], -1) {
			cells = append(cells, strings.TrimSpace(strings.TrimSuffix(html.UnescapeString(htmlTag.ReplaceAllString(cell, "")), " exact")))
		}
		rows = append(rows, cells[:len(cells)-1])
	}
	return rows
}

// markdownRows returns the cells of the first table of a text.
func markdownRows(text string) (rows [][]string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if !strings.HasPrefix(line, "|") {
			if len(rows) > 0 {
				break
			}
			continue
		}
		var cells []string
		for _, cell := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.ReplaceAll(strings.TrimSpace(cell), `\`, ""))
		}
		rows = append(rows, cells)
	}
	return rows[2:]
}

// TestExploreAddresses: a port that is taken is named, and a host is served if it is
// allowed.
func TestExploreAddresses(t *testing.T) {
	needSignals(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s.yaml"), []byte(explored), 0o666); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	c := exec.Command("limitgauge", "explore", "s.yaml", "--addr", taken.Addr().String())
	c.Dir = dir
	var errs bytes.Buffer
	c.Stderr = &errs
	c.Run()
	if code := c.ProcessState.ExitCode(); code != usage.ExitUsage || !strings.Contains(errs.String(), "--addr "+taken.Addr().String()+": ") || !strings.Contains(errs.String(), "in use") {
		t.Errorf("a port in use: exit code %d, %s", code, errs.String())
	}

	_, url := startExplore(t, dir, "s.yaml", "--addr", "127.0.0.1:0", "--allow", "devbox.example")
	for host, want := range map[string]int{"devbox.example": 200, "evil.example": 421} {
		q, err := http.NewRequest("GET", url, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = host + url[strings.LastIndex(url, ":"):len(url)-1]
		a, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if a.StatusCode != want {
			t.Errorf("host %s: %d, want %d", host, a.StatusCode, want)
		}
	}
}
