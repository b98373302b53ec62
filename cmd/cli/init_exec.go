package cli

import (
	"fmt"
	"path/filepath"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/scenarios"
)

// initExec writes the template exec: a scenario file, and beside it the limiter that
// it runs.
func (a *app) initExec(args []string, language string, force bool) error {
	suite, limiter, err := scenarios.FindExec(language)
	if err != nil {
		return usage.Wrong(err)
	}
	name := "limiter.yaml"
	if len(args) > 0 {
		name = args[0]
	}
	program := filepath.Join(filepath.Dir(name), limiter.File)
	if name == "-" || filepath.Clean(name) == program {
		return usage.Errorf("the template %s writes a limiter, %s, beside the scenario file; name another FILE", suite.Name, limiter.File)
	}
	for _, file := range []string{program, name} {
		if err := mayWrite(file, force); err != nil {
			return err
		}
	}
	if err := report.WriteFile(program, whole(limiter.Source)); err != nil {
		return err
	}
	if err := report.WriteFile(name, whole(suite.Source)); err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "wrote %s and %s; run them with: limitgauge run --allow-exec %s\n", name, program, format.ShellQuote(name))
	return nil
}
