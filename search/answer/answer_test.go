package answer

import (
	"errors"
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

var errFull = errors.New("full")

// bounded takes some bytes and fails when there are more.
type bounded struct{ left int }

func (b *bounded) Write(p []byte) (int, error) {
	if n := b.left; n < len(p) {
		b.left = 0
		return n, errFull
	}
	b.left -= len(p)
	return len(p), nil
}

// TestWriteFailsWithItsWriter checks in each format that an answer that does not fit is an
// error, wherever its place ends, and that one that fits is none.
func TestWriteFailsWithItsWriter(t *testing.T) {
	d := &sample{Head: NewHead("tune", "v1", "limitgauge tune s.yaml"), Text: "a"}
	tables := func(w io.Writer, _ []table.Table, _ string) error {
		_, err := io.WriteString(w, "tables\n")
		return err
	}
	for _, format := range []string{"json", "csv", "yaml", "table", "markdown"} {
		var whole strings.Builder
		if err := Write(&whole, d, format, tables); err != nil {
			t.Fatal(err)
		}
		for n := range whole.Len() {
			if err := Write(&bounded{n}, d, format, tables); !errors.Is(err, errFull) {
				t.Errorf("%s: %v after %d of %d bytes", format, err, n, whole.Len())
			}
		}
		if err := Write(&bounded{whole.Len()}, d, format, tables); err != nil {
			t.Errorf("%s: %v, although all fits", format, err)
		}
	}
}
