package cli

import (
	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/check/read"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/search/answer"
)

// checking holds the flags of check.
type checking struct {
	replicas int64
	out      output
}

func (a *app) checkCommand() *cobra.Command {
	var s checking
	c := &cobra.Command{
		Use:   "check FILE...",
		Short: "read the limits that a configuration has: what each does, and what never applies",
		Long: `Check reads the rate limits in configurations of nginx (limit_req) and of ingress-nginx
(annotations). It says in a sentence what each limit does, lists what never applies or
limits nothing, and names what touches limits and is not judged.

It tells the system of a file by its content. - is standard input. Includes of nginx are
read from the files given and from the folder of the main file. Nothing is run.

It exits 3 if the server would refuse to start, and 2 if a file cannot be read.`,
		Example: `  limitgauge check nginx.conf
  limitgauge check ingress.yaml --replicas 3`,
		Args:              usage.Arguments(1, -1),
		ValidArgsFunction: files(-1),
	}
	c.Flags().Int64Var(&s.replicas, "replicas", 1, "`N` servers that count by themselves: 1 to 100000")
	s.out.fileFlags(c, "answer", "table", "markdown", "csv", "json")
	c.RunE = func(c *cobra.Command, args []string) error {
		if s.replicas < 1 || s.replicas > 100_000 {
			return usage.Errorf("--replicas %d: want 1 to 100000", s.replicas)
		}
		if _, err := inputs.Claim(a.Host, &inputs.Running{}, s.out.Adds, inputs.Names("the configuration", args...)); err != nil {
			return err
		}
		config, err := a.configuration(args)
		if err != nil {
			return err
		}
		config.Describe(s.replicas, false)
		d := &check.Document{Head: answer.NewHead("check", a.BuildStamp().Version, s.rerun(c, args)), Files: args, Replicas: s.replicas}
		d.Describe(config)
		if err := s.out.showAnswer(a, d, "", nil); err != nil {
			return err
		}
		if config.Has(check.Invalid) {
			return usage.Code(usage.ExitGateFailed)
		}
		return nil
	}
	return c
}

// rerun returns the command that makes the same document again.
func (s *checking) rerun(c *cobra.Command, args []string) string {
	return commandLine(c, "check", args, func(name string) bool { return name != "output" && name != "format" })
}

// configuration reads files of limits.
func (a *app) configuration(names []string) (*check.Config, error) {
	var list []read.File
	for _, name := range names {
		text, err := a.textOf(name)
		if err != nil {
			return nil, err
		}
		list = append(list, read.File{Name: name, Text: text})
	}
	config, err := read.Files(list)
	if err != nil {
		return nil, usage.Wrong(err)
	}
	return config, nil
}

// textOf reads a file, or standard input.
func (a *app) textOf(name string) ([]byte, error) {
	if name != "-" {
		return inputs.ReadFile(name)
	}
	if a.In == nil {
		return nil, inputs.ErrStdinTwice
	}
	in := a.In
	a.In = nil
	return inputs.ReadAll(in)
}
