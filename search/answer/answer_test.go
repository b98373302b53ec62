package answer

import (
	"io"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/report/table"
)

// sample is an answer with a member of each kind of cell.
type sample struct {
	Head
	Text string `json:"text"`
}

func (s *sample) Rows() [][]any {
	whole := int64(1_000_000)
	return [][]any{{"name", "whole", "none", "share", "holds"}, {s.Text, &whole, (*float64)(nil), 1e6, true}}
}

func (s *sample) ScenarioText() string { return "version: 1\n" }

func (s *sample) Lead(markdown bool) string {
	return map[bool]string{false: "lead\n", true: "# lead\n"}[markdown]
}
func (s *sample) Tail(markdown bool) string {
	return map[bool]string{false: "tail\n", true: "# tail\n"}[markdown]
}
func (s *sample) Tables() []table.Table { return []table.Table{{Title: "title"}} }

// TestWrite writes an answer in each format.
func TestWrite(t *testing.T) {
	d := &sample{Head: NewHead("tune", "v1", "limitgauge tune s.yaml"), Text: "a <= b, c"}
	for format, want := range map[string]string{
		"json": `{
  "schema_version": 1,
  "kind": "tune",
  "version": "v1",
  "rerun": "limitgauge tune s.yaml",
  "text": "a <= b, c"
}
`,
		"csv":      "name,whole,none,share,holds\n\"a <= b, c\",1000000,,1e+06,true\n",
		"yaml":     "version: 1\n",
		"table":    "lead\n1 table of table\ntail\n",
		"markdown": "# lead\n1 table of markdown\n# tail\n",
	} {
		var got strings.Builder
		err := Write(&got, d, format, func(w io.Writer, list []table.Table, format string) error {
			_, err := io.WriteString(w, strings.Repeat("1 table of "+format+"\n", len(list)))
			return err
		})
		if err != nil || got.String() != want {
			t.Errorf("%s: %q, %v, want %q", format, got.String(), err, want)
		}
	}
}
