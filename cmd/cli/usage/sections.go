package usage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Section is a heading of a command's help with its flags, most used first.
type Section struct {
	Title string
	Rare  bool // a long help shows only the names of its flags
	Flags []*pflag.Flag
}

// names are the title of a section, whether it is rare, and its flags.
type names struct {
	title string
	rare  bool
	list  string
}

// sections groups the flags that several commands share, or that are rarely needed. A
// name with a value is the flag that takes it: a FILE of keys is not a number of them.
// All other flags are the command's own, which the first section holds.
var sections = []names{
	{"Flags", false, "limit"},
	{"The limiter and its traffic", false, "burst, reference, clients, servers, spread, network, pattern, arrivals, rate, duration"},
	{"What is printed and written", false, "format, output, html, columns, notes, plots, no-plots, key, hash-keys, hash-secret"},
	{"How the simulation runs", false, "seed, replications, replication, until, max-replications, workers, sort-memory, allow-exec, yes, quiet"},
	{"How the log is read", true, "log-format, explain-format, regex, records, time-field, end-field, duration-field, duration-unit, time-format, time-layout, time-zone, start, end, cost-field, malformed"},
	{"Change or complete the recorded requests", true, "speed, keep, copies, repeat, rebase, client-field, estimate-field, estimate-plus, answer-field, answer-per-token, verdict-field, rejected"},
	{"Write each decision, window, key, server or report", true, "decisions FILE, windows FILE, keys FILE, server-loads FILE, reports FILE"},
	{"Which changes the gate catches", true, "plan, power, for, not-worse"},
	{"Other machines", true, "on, allow, listen, store, silence, away, creds, nkey, tls-ca, tls-cert, tls-key"},
}

// fewFlags is the most flags that help lists under one heading, and manyFlags the most
// that it shows all of.
const fewFlags, manyFlags = 8, 30

// Sections returns the flags of a command as its help groups them. Hidden ones are left
// out.
func Sections(c *cobra.Command) (list []Section) {
	for _, s := range sections {
		list = append(list, Section{Title: s.title, Rare: s.rare})
	}
	var all []*pflag.Flag
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			i := max(0, slices.IndexFunc(sections, func(s names) bool { return s.place(f) >= 0 }))
			all, list[i].Flags = append(all, f), append(list[i].Flags, f)
		}
	})
	if len(all) <= fewFlags {
		return []Section{{Title: sections[0].title, Flags: all}}
	}
	for i, s := range sections {
		slices.SortStableFunc(list[i].Flags, func(a, b *pflag.Flag) int {
			return cmp.Compare(uint(s.place(a)), uint(s.place(b))) // those that it does not name are last
		})
	}
	return slices.DeleteFunc(list, func(s Section) bool { return len(s.Flags) == 0 })
}

// place returns where a section names a flag, or -1.
func (n names) place(f *pflag.Flag) int {
	value, _ := pflag.UnquoteUsage(f)
	return slices.IndexFunc(strings.Split(n.list, ", "), func(name string) bool { return name == f.Name || name == f.Name+" "+value })
}
