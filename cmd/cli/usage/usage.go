// Package usage says what is wrong with a command line, and with which exit code the
// program ends.
//
// The package makes no promise: it can change at any time.
package usage

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// usageError reports wrong usage of the command line.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// Wrong makes an error one of wrong usage.
func Wrong(err error) error { return usageError{err} }

// Errorf returns an error of wrong usage.
func Errorf(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// Arguments checks the number of arguments of a command, and that none is empty.
// most < 0 means any number.
func Arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		switch {
		case len(args) < least:
			which := "an"
			if len(args) > 0 {
				which = "another"
			}
			return Errorf("%s needs %s argument; usage: %s", c.Name(), which, c.UseLine())
		case most >= 0 && len(args) > most:
			return Errorf("%s does not take the argument %q; usage: %s", c.Name(), args[most], c.UseLine())
		case slices.Contains(args, ""):
			return Errorf("%s: an argument is empty; is a variable unset? usage: %s", c.Name(), c.UseLine())
		}
		return nil
	}
}

// FlagError describes a problem with a flag, without the names of Go functions
// that the flag package prints.
func FlagError(c *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var missing *pflag.ValueRequiredError
	switch {
	case errors.As(err, &unknown) && !c.HasParent() && c.Flags().NArg() > 0: // limitgauge relpay --limit 1/s
		return UnknownCommand(c, c.Flags().Arg(0))
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return Errorf("unknown flag -%s; see %s --help", unknown.GetSpecifiedName(), c.CommandPath())
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return Errorf("unknown flag --%s%s; see %s --help", name, suggestFlag(c, name), c.CommandPath())
	case errors.As(err, &invalid) && errors.Is(err, errEmpty):
		f := invalid.GetFlag()
		return Errorf("%s: the value is empty, want %s; is a variable unset? To do without, leave the flag out", dashed(f), wanted(f))
	case errors.As(err, &invalid):
		return Errorf("--%s %s: want %s", invalid.GetFlag().Name, invalid.GetValue(), wanted(invalid.GetFlag()))
	case errors.As(err, &missing):
		return Errorf("--%s needs a value: %s", missing.GetFlag().Name, wanted(missing.GetFlag()))
	}
	return usageError{err}
}

// dashed returns a flag as the documentation writes it.
func dashed(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// suggestFlag suggests a flag of the command with a similar name.
func suggestFlag(c *cobra.Command, name string) string {
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return scenarios.Suggest("--"+name, names)
}

// wanted describes the values of a flag.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "int", "int64":
		return "a whole number"
	case "uint64":
		return "a whole number from 0 to 18446744073709551615"
	case "bool":
		return "true or false"
	}
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// OnlyCommands checks the arguments of a command that has commands and does nothing
// by itself.
func OnlyCommands(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return UnknownCommand(c, args[0])
	}
	return nil
}

// UnknownCommand returns the error for a first argument that is not a command.
func UnknownCommand(root *cobra.Command, name string) error {
	names := lists.Map(lists.Where(root.Commands(), (*cobra.Command).IsAvailableCommand), (*cobra.Command).Name)
	return Errorf("unknown command %q%s; see %s --help", name, scenarios.Suggest(name, names), root.CommandPath())
}

// NotDirectory reports a file name that names a directory. flag is "" or the
// flag that the name was given to, followed by a space.
func NotDirectory(flag, name string) error {
	if info, err := os.Stat(name); err == nil && info.IsDir() || name != "" && os.IsPathSeparator(name[len(name)-1]) {
		return Errorf("%s%s: is a directory, want a file", flag, name)
	}
	return nil
}

// Choice checks a flag that takes one of a few words.
func Choice(flag, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return Errorf("--%s %s: not one of %s%s", flag, value, strings.Join(known, ", "), scenarios.Suggest(value, known))
}

// TimeFlag returns the time of a flag in ns.
func TimeFlag(name, text string, least, most time.Duration) (int64, error) {
	ns, err := units.ParseDuration(text)
	switch {
	case err != nil:
		return 0, Errorf("%s: %w", name, err)
	case ns < int64(least) || ns > int64(most):
		return 0, Errorf("%s %s: want %s to %s", name, text, units.FormatDuration(int64(least)), units.FormatDuration(int64(most)))
	}
	return ns, nil
}
