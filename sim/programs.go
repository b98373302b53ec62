package sim

import (
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// needPrograms returns a problem for each algorithm whose limiter is not part of this
// program and that the options do not let run.
func needPrograms(f *scenarios.File, o Options) (problems []scenarios.Problem) {
	for i := range f.Scenarios {
		s := &f.Scenarios[i]
		for j := range s.Algorithms {
			for _, a := range s.Algorithms[j].Stages() {
				if reason := needsProgram(a, o); reason != "" {
					problems = append(problems, scenarios.Problem{
						Path: f.Path, Pos: a.Pos, Field: fmt.Sprintf("scenarios[%d].algorithms[%d]", s.Index, j), Message: a.Name + ": " + reason,
					})
				}
			}
		}
	}
	return problems
}

// needsProgram returns why an algorithm cannot run with the options, or "".
func needsProgram(a *scenarios.Algorithm, o Options) string {
	switch {
	case !limiters.Of(a).Outside:
		return ""
	case a.Options.Set("exec") && !o.AllowExec:
		return "it starts a program, which only --allow-exec permits"
	case !a.Options.Set("exec") && a.Preset == "":
		return "exec is missing: the program that decides, and its arguments"
	case o.Programs == nil:
		return "nothing here can run it"
	}
	return ""
}
