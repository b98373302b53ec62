package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/cmd/cli/describe"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// This file implements the completion of a shell. Commands can complete a flag
// themselves. For all other flags, the name or the value word in the help
// selects the completion. The shell completes FILE, BASE.json and DIR. For any
// other value nothing is proposed, not even files.

// completeFlags registers a completion for every flag of every command.
func (a *app) completeFlags(root *cobra.Command) {
	known := map[string]cobra.CompletionFunc{
		"scenario":      a.completeScenario,
		"algorithm":     a.completeAlgorithm,
		"predict":       a.completeAlgorithm,
		"vary":          a.completeSetting,
		"set":           a.completeSetting,
		"algorithms":    listed(a.words("algorithms")),
		"columns":       listed(a.words("metrics")),
		"metric":        listed(a.words("metrics")),
		"metrics":       listed(a.words("metrics")),
		"tables":        listed(func() []cobra.Completion { return compareFields }),
		"rows":          listed(func() []cobra.Completion { return compareFields }),
		"col":           fixed(compareFields),
		"template":      completeTemplate,
		"language":      fixed(scenarios.ExecLanguages()),
		"log-format":    fixed(logs.Formats),
		"malformed":     fixed(logs.MalformedRules),
		"time-format":   fixed(logs.TimeFormats),
		"duration-unit": fixed(logs.DurationUnits),
		"spread":        fixed(spreads),
		"reference":     fixed(catalog.Names(scenarios.References())),
	}
	for _, c := range usage.EveryCommand(root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if _, has := c.GetFlagCompletionFunc(f.Name); has || f.Value.Type() == "bool" {
				return
			}
			complete, has := known[f.Name]
			if !has {
				complete = byValue(f)
			}
			if complete != nil {
				c.RegisterFlagCompletionFunc(f.Name, complete)
			}
		})
		if c.ValidArgsFunction == nil && c.ValidArgs == nil {
			c.ValidArgsFunction = cobra.NoFileCompletions
		}
	}
}

// byValue returns the completion of a flag by the value word in its help, or
// nil to leave it to the shell.
func byValue(f *pflag.Flag) cobra.CompletionFunc {
	switch value, _ := pflag.UnquoteUsage(f); {
	case value == "FILE":
		return nil
	case value == "DIR":
		return cobra.FixedCompletions(nil, cobra.ShellCompDirectiveFilterDirs)
	case strings.HasPrefix(filepath.Ext(value), "."):
		return cobra.FixedCompletions([]cobra.Completion{filepath.Ext(value)[1:]}, cobra.ShellCompDirectiveFilterFileExt)
	}
	return cobra.NoFileCompletions
}

func fixed(words []string) cobra.CompletionFunc {
	return cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp)
}

// listed returns the completion of a flag that takes words separated by commas.
// It completes the last word and proposes no word twice.
func listed(words func() []cobra.Completion) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndex(typed, ",")+1]
		given := strings.Split(before, ",")
		var list []cobra.Completion
		for _, word := range words() {
			name, _, _ := strings.Cut(word, "\t")
			if !slices.Contains(given, name) {
				list = append(list, before+word)
			}
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// upTo completes up to most arguments, or any number if most < 0, with words.
// beside selects what the shell proposes in addition.
func upTo(most int, words func() []cobra.Completion, beside cobra.ShellCompDirective) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return words(), beside
	}
}

// suiteOrFile completes scenario files and shipped suites.
func suiteOrFile(most int) cobra.CompletionFunc {
	return upTo(most, suites, cobra.ShellCompDirectiveDefault)
}

// files completes files.
func files(most int) cobra.CompletionFunc {
	return upTo(most, func() []cobra.Completion { return nil }, cobra.ShellCompDirectiveDefault)
}

// documents completes results documents.
func documents(most int) cobra.CompletionFunc {
	return upTo(most, func() []cobra.Completion { return []cobra.Completion{"json"} }, cobra.ShellCompDirectiveFilterFileExt)
}

// stepArguments completes a counter or a preset, then a file of calls.
func stepArguments(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return steppedNames(), cobra.ShellCompDirectiveNoFileComp
	}
	return files(2)(nil, args, "")
}

// completeScenario completes --scenario with the names in the file on the
// command line, or --in another flag.
func (a *app) completeScenario(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	name := inputs.FileArgument(args)
	if c.Flags().Lookup("in") != nil {
		name, _ = c.Flags().GetString("in")
	}
	given, _ := c.Flags().GetStringArray("scenario")
	others := lists.Where(a.headings(name), func(s scenarios.Heading) bool { return !slices.Contains(given, s.Name) })
	return lists.Map(others, func(s scenarios.Heading) cobra.Completion { return cobra.CompletionWithDesc(s.Name, s.About) }), cobra.ShellCompDirectiveNoFileComp
}

// completeExplained completes the argument of explain: with everything that it
// describes, or with the algorithms of the scenarios of the file --in.
func (a *app) completeExplained(c *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	file, _ := c.Flags().GetString("in")
	if file == "" {
		return upTo(1, a.words(describe.Kinds...), cobra.ShellCompDirectiveNoFileComp)(c, args, typed)
	}
	return upTo(1, func() []cobra.Completion { return a.algorithmsIn(c, file) }, cobra.ShellCompDirectiveNoFileComp)(c, args, typed)
}

// completeAlgorithm completes a flag that names an algorithm of the file on the command
// line.
func (a *app) completeAlgorithm(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return a.algorithmsIn(c, inputs.FileArgument(args)), cobra.ShellCompDirectiveNoFileComp
}

// algorithmsIn returns the algorithms of a file, or of its scenario that --scenario names.
func (a *app) algorithmsIn(c *cobra.Command, file string) (list []cobra.Completion) {
	only, _ := c.Flags().GetString("scenario")
	for _, s := range a.headings(file) {
		if only == "" || only == s.Name {
			list = append(list, s.Algorithms...)
		}
	}
	return lists.Distinct(list)
}

// completeSetting completes PATH=VALUE with what the file on the command line names: its
// policies and topologies as values, and its algorithms at the beginning of a path.
func (a *app) completeSetting(_ *cobra.Command, args []string, typed string) (list []cobra.Completion, _ cobra.ShellCompDirective) {
	text := a.source(inputs.FileArgument(args))
	kinds := []struct{ path, kind string }{{"policy", "policies"}, {"topology", "topologies"}}
	for _, k := range kinds {
		names := scenarios.Blocks(text, k.kind)
		if before := typed[:strings.LastIndexAny(typed, "=,")+1]; strings.HasPrefix(typed, k.path+"=") {
			return lists.Map(names, func(name string) cobra.Completion { return before + name }), cobra.ShellCompDirectiveNoFileComp
		}
		if len(names) > 0 {
			list = append(list, k.path+"=")
		}
	}
	rows := scenarios.Blocks(text, "algorithms")
	for _, s := range scenarios.Outline(text) {
		rows = append(rows, s.Algorithms...)
	}
	list = append(list, lists.Map(lists.Distinct(rows), func(name string) cobra.Completion { return "algorithms." + name + "." })...)
	if len(list) == 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// headings reads the headings of a scenario file.
func (a *app) headings(name string) []scenarios.Heading { return scenarios.Outline(a.source(name)) }

// source reads a scenario file, if it is a regular file or a shipped suite. It never waits
// for standard input or a pipe.
func (a *app) source(name string) []byte {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() || name == "-" {
		return nil
	}
	src, err := inputs.ReadSource(a.Host, name)
	if err != nil {
		return nil
	}
	return src.Text
}

// spreads lists the ways in which requests reach replicas that need no fields.
var spreads = []string{"even", "random", "hash", "sticky"}

// suites returns the names of the shipped scenario files with their descriptions.
func suites() []cobra.Completion { return completions(scenarios.Suites()) }

func completions(suites []scenarios.Suite) []cobra.Completion {
	return lists.Map(suites, func(s scenarios.Suite) cobra.Completion { return cobra.CompletionWithDesc(s.Name, s.About) })
}

// words returns the names of kinds with their descriptions, each name once.
func (a *app) words(kinds ...string) func() []cobra.Completion {
	return func() (list []cobra.Completion) {
		seen := map[string]bool{}
		for _, kind := range kinds {
			for _, s := range describe.Subjects(a.Catalog(), kind) {
				if !seen[s.Name] {
					list = append(list, cobra.CompletionWithDesc(s.Name, s.Summary))
				}
				seen[s.Name] = true
			}
		}
		return list
	}
}

func completeTemplate(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return completions(scenarios.Templates()), cobra.ShellCompDirectiveNoFileComp
}
