package usage

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// All marks a command whose help shows all flags: limitgauge help COMMAND all.
const All = "all"

// Help makes every command print its usage with its flags in sections, no wider than
// width says.
func Help(root *cobra.Command, width func() int) {
	for _, c := range append(EveryCommand(root), root) {
		c.Flags().SortFlags = false
		c.InitDefaultHelpFlag()
	}
	root.SetUsageFunc(func(c *cobra.Command) error {
		_, err := fmt.Fprint(c.OutOrStderr(), usageOf(c, width()))
		return err
	})
}

// usageOf returns what help shows below the description of a command.
func usageOf(c *cobra.Command, width int) string {
	var out strings.Builder
	if c.Runnable() {
		fmt.Fprintf(&out, "Usage:\n  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "  %s COMMAND\n", c.CommandPath())
	}
	if c.Example != "" {
		fmt.Fprintf(&out, "\nExamples:\n%s\n", c.Example)
	}
	commandsOf(&out, c)
	flagsOf(&out, c, width)
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(&out, "\n%s COMMAND --help describes a command.\n", c.CommandPath())
	}
	return out.String()
}

// commandsOf writes the commands of a command in their groups, then the help topics.
func commandsOf(out *strings.Builder, c *cobra.Command) {
	list := func(title, before string, in func(*cobra.Command) bool) {
		if shown := lists.Where(c.Commands(), in); len(shown) > 0 {
			fmt.Fprintf(out, "\n%s\n", title)
			for _, s := range shown {
				fmt.Fprintf(out, "  %s%-*s %s\n", before, s.NamePadding(), s.Name(), s.Short)
			}
		}
	}
	for _, g := range c.Groups() {
		list(g.Title, "", func(s *cobra.Command) bool { return s.GroupID == g.ID && s.IsAvailableCommand() })
	}
	list("Commands:", "", func(s *cobra.Command) bool { return s.GroupID == "" && s.IsAvailableCommand() })
	list("Help topics:", c.Name()+" ", (*cobra.Command).IsAdditionalHelpTopicCommand)
}

// flagsOf writes the flags of a command. Of many, it writes of the rarely used ones
// only the names, unless all are asked for.
func flagsOf(out *strings.Builder, c *cobra.Command, width int) {
	parts := Sections(c)
	count := 0
	for _, s := range parts {
		count += len(s.Flags)
	}
	folded := false
	for _, s := range parts {
		fmt.Fprintf(out, "\n%s:\n", s.Title)
		if count > manyFlags && s.Rare && len(s.Flags) > 1 && c.Annotations[All] == "" {
			names := lists.Map(s.Flags, func(f *pflag.Flag) string { return "--" + f.Name })
			out.WriteString(Wrap(strings.Join(names, ", "), "      ", width))
			folded = true
			continue
		}
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		set.SortFlags = false
		for _, f := range s.Flags {
			set.AddFlag(f)
		}
		out.WriteString(set.FlagUsagesWrapped(width))
	}
	if folded {
		_, name, _ := strings.Cut(c.CommandPath(), " ")
		fmt.Fprintf(out, "\nAll flags in full: %s help %s all\n", c.Root().Name(), name)
	}
}

// Wrap breaks text into indented lines of at most width columns.
func Wrap(text, indent string, width int) string {
	var out strings.Builder
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line) > len(indent) && len(line)+1+len(word) > width {
			out.WriteString(line + "\n")
			line = indent
		}
		if len(line) > len(indent) {
			line += " "
		}
		line += word
	}
	out.WriteString(line + "\n")
	return out.String()
}
