package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli/terminal"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// TestEmptyValuesAreRefused gives every flag of every command an empty value, as an
// unset variable does.
func TestEmptyValuesAreRefused(t *testing.T) {
	var tried int
	for _, c := range Commands(terminal.Host{}).Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if f.Value.Type() == "bool" {
				return
			}
			tried++
			var out, errs bytes.Buffer
			args := []string{c.Name(), "--" + f.Name, ""}
			if f.NoOptDefVal != "" {
				args = []string{c.Name(), "--" + f.Name + "="}
			}
			code := Run(context.Background(), args, terminal.Host{In: strings.NewReader(""), Out: &out, Err: &errs, Lookup: func(string) (string, bool) { return "", false }})
			said := "the value is empty"
			if strings.Contains(f.Value.Type(), "int") {
				said = "want a whole number"
			}
			if code != usage.ExitUsage || !strings.Contains(errs.String(), said) || out.Len() > 0 {
				t.Errorf("%q: exit code %d, stderr %q, want %d and %q", args, code, errs.String(), usage.ExitUsage, said)
			}
		})
	}
	if tried < 100 {
		t.Errorf("only %d flags were tried", tried)
	}
}
