package logs

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	words "github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/formats"
)

// Choice says how a file was read: what was taken for the time, the key and the
// cost, and which other fields could have been.
type Choice struct {
	File     string
	Format   string
	Wrappers []string // taken off each line, the innermost first
	Time     string   // the fields that make the time of arrival, such as "end - duration"
	Notation string   // how the time is written, such as RFC 3339
	Key      string   // the field of the key, "" without one
	Client   bool     // the key was written by the client itself, in X-Forwarded-For
	Address  bool     // the key is the client's address, which no client wrote
	Cost     string   // the fields whose sum is the cost, or 1
	Estimate string   // the fields whose sum is known of the cost on arrival, "" if the cost is
	Answer   string   // the field with the time until the answer, "" if none is asked for
	Verdict  string   // the field with what the limiter that wrote the log decided, "" if it is not asked for
	Where    string   // the conditions, and how many rows of the file do not fit them; "" without any
	Others   []formats.Candidate
	Rows     int64 // valid records, also those outside start and until
	Without  int64 // rows without a key
	Bad      int64 // malformed records
	Warnings []string
}

// String states the choice in one line.
func (c Choice) String() string {
	s := "format: " + c.Format
	if len(c.Wrappers) > 0 {
		s += " in " + strings.Join(c.Wrappers, " in ")
	}
	s += "  time: " + c.Time
	if c.Notation != "" {
		s += " (" + c.Notation + ")"
	}
	key := cmp.Or(c.Key, "none")
	if c.Client {
		key += " (as the client sent it)"
	}
	s += "  key: " + key + "  cost: " + c.Cost
	for _, more := range [][2]string{{"estimate", c.Estimate}, {"answer", c.Answer}, {"verdict", c.Verdict}, {"where", c.Where}} {
		if more[1] != "" {
			s += "  " + more[0] + ": " + more[1]
		}
	}
	return s
}

// choice returns how the current file was read.
func (b *builder) choice(in *formats.Input, l *formats.Layout) Choice {
	c := Choice{File: in.File, Format: in.Format.Name, Cost: "1", Rows: b.fileRows, Without: b.fileKeyless, Bad: b.fileBad}
	c.Wrappers = formats.WrapperNames(in.Around)
	c.Time, c.Key, c.Client = in.TimeText(l), l.KeyText(), l.Forwarded()
	c.Address = len(l.Keys) == 1 && l.Addressed() && !c.Client && !b.o.PerFile
	asked := b.o.PerFile || len(b.o.KeyFields()) > 0
	c.Others = lists.Where(l.Others, func(o formats.Candidate) bool { return o.Of != "key" || !asked })
	c.Notation = b.timer.Clock.Describe()
	if l.Verdict >= 0 {
		c.Verdict = fmt.Sprintf("%s (rejected: %s)", l.Names[l.Verdict], strings.Join(texts(b.verdicts.rejected), ", "))
	}
	if l.Status >= 0 {
		b.refusals.field = l.Names[l.Status]
	}
	if len(l.Costs) > 0 {
		c.Cost = l.Join(l.Costs, " + ")
	}
	if where := l.Conditions(); where != "" {
		c.Where = fmt.Sprintf("%s (leaves out %d of %s)", where, b.fileUnfit, words.Count(b.fileRows, "row"))
	}
	c.Estimate = l.Join(l.Estimate, " + ")
	if l.Answer >= 0 {
		c.Answer = l.Names[l.Answer]
	}
	if len(b.o.KeyFields()) == 0 && l.Addressed() {
		b.addressed = c.Key
	}
	if b.o.PerFile {
		c.Key = "file name"
	}
	if in.Inherited {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: too short to tell its format: read as %s, like the file before it (--log-format settles it)", in.File, in.Format.Name))
	}
	c.Others = append(c.Others, lists.Map(b.timer.Clock.Others, func(format string) formats.Candidate {
		return formats.Candidate{Of: "unit", Field: format, Flag: "--time-format " + format}
	})...)
	c.Warnings = append(c.Warnings, b.timer.Clock.Warnings(in.File)...)
	c.Warnings = append(c.Warnings, b.warnMalformed()...)
	if before, twice := b.filesOf[[2]int64{b.fileRows, b.fileTimes}]; twice && b.fileRows > 1 {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: the times of its %d rows are those of %s: is it the same log twice?", in.File, b.fileRows, before))
	}
	if b.filesOf != nil { // not to explain
		b.filesOf[[2]int64{b.fileRows, b.fileTimes}] = in.File
	}
	if b.fileUnfit == b.fileRows && b.fileRows > 0 { // of several files
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: none of its %s fits %s", in.File, words.Count(c.Rows, "row"), l.Conditions()))
	}
	if c.Without > 0 && 2*c.Without > c.Rows {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %d of %s have no %s: they all count as the key %s; name another field with --per",
			in.File, c.Without, words.Count(c.Rows, "row"), c.Key, NoKey))
	}
	return c
}

// warnProxy adds a warning if all rows have the same address, with another field that
// could be the key, first one with those that a proxy received them from.
func (b *builder) warnProxy() {
	if b.addressed == "" || len(b.names[0].names) > 1 || b.noted.Rows < 2 {
		return
	}
	for _, forwarded := range []bool{true, false} {
		for i := range b.noted.Choices {
			c := &b.noted.Choices[i]
			for _, o := range c.Others {
				if o.Of != "key" || formats.IsForwarded(o.Field) != forwarded {
					continue
				}
				takes := "another field"
				if forwarded {
					takes = "the first address of each " + o.Field + ", as the client sent it"
				}
				c.Warnings = append(c.Warnings, fmt.Sprintf("all rows have the same %s, as behind a proxy: %s takes %s", c.Key, o.Flag, takes))
				return
			}
		}
	}
	only := b.names[0].names[0]
	asked := slices.ContainsFunc(b.o.Where, func(where string) bool { return strings.HasSuffix(where, "="+only) })
	if c := &b.noted.Choices[0]; formats.IsIP([]byte(only)) && !b.o.Shared && !asked {
		c.Warnings = append(c.Warnings, fmt.Sprintf("all rows have the same %s: if it is a proxy's, this log cannot say who the clients are", c.Key))
	}
}

// warnNoAddress adds a warning if the key was taken for an address and no key is
// one. It may be the name of a server.
func (b *builder) warnNoAddress() {
	if b.addressed == "" || slices.ContainsFunc(b.names[0].names, func(name string) bool { return formats.IsIP([]byte(name)) }) {
		return
	}
	example := ""
	if !b.o.Hide {
		example = ", such as " + b.names[0].names[0]
	}
	c := &b.noted.Choices[0]
	c.Warnings = append(c.Warnings, fmt.Sprintf("no key is an IP address%s: if %s is not the client, name the key with --per", example, b.addressed))
}
