package cli

import (
	"regexp"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report/table"
)

var helpCode = regexp.MustCompile(`(?m)^  (\d+) +(.+)$`)

// TestExitCodesAreOneTable checks that --help and the topic have the same exit codes.
func TestExitCodesAreOneTable(t *testing.T) {
	if rows := helpCode.FindAllString(usage.ExitCodes, -1); len(rows) != 6 {
		t.Fatalf("the table has %d rows: %q", len(rows), rows)
	}
	_, help, _ := try("--help")
	_, topic, _ := try("help", "exit-codes")
	for where, text := range map[string]string{"--help": help, "help exit-codes": topic} {
		if !strings.Contains(text, strings.TrimSpace(usage.ExitCodes)) {
			t.Errorf("%s does not have the table:\n%s", where, text)
		}
	}
}

// TestTopics checks that help finds every topic by its name.
func TestTopics(t *testing.T) {
	topics := describe.Topics()
	describe.WriteTopics(topics)
	for _, topic := range topics {
		code, text, errs := try("help", topic.Name())
		_, direct, _ := try(topic.Name())
		if code != usage.ExitOK || errs != "" || text != direct || topic.Long == "" || !strings.HasPrefix(text, topic.Long) {
			t.Errorf("help %s: exit code %d, %q, %q", topic.Name(), code, errs, text)
		}
		for _, line := range strings.Split(text, "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("help %s: a line of more than 80 columns: %s", topic.Name(), line)
			}
		}
		if _, root, _ := try("--help"); !strings.Contains(root, "limitgauge "+topic.Name()+" ") {
			t.Errorf("--help does not name the topic %s", topic.Name())
		}
	}
	if code, _, errs := try("help", "exit-code"); code != usage.ExitUsage || !strings.Contains(errs, `did you mean "exit-codes"?`) {
		t.Errorf("help exit-code: %d, %s", code, errs)
	}
	_, metrics, _ := try("help", "metrics")
	for _, name := range table.DefaultColumns() {
		if !strings.Contains(metrics, "\n  "+name+" (") {
			t.Errorf("help metrics leaves out the column %s", name)
		}
	}
}
