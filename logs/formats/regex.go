package formats

import (
	"regexp"
	"slices"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Regex is the format that a pattern of the options describes.
var Regex = Format{
	Name:     "regex",
	By:       "anything else",
	Shows:    "the option --regex, whose named groups are the fields",
	Time:     "a group named time, timestamp, ts ...",
	Key:      "a group named key, client_ip, ip ...",
	Source:   "https://pkg.go.dev/regexp/syntax",
	open:     openRegex,
	unscored: true,
}

// regexSplitter splits lines by a regular expression whose named groups are the
// fields. Groups called key, client and cost are used without being named in
// the options.
type regexSplitter struct {
	re *regexp.Regexp
	laid
}

func openRegex(in *Input) (Splitter, error) {
	o := in.Asked
	re, err := regexp.Compile(o.Pattern)
	if err != nil {
		return nil, &text.Error{Reason: text.BadOptions, Message: "pattern", Err: err}
	}
	groups := slices.DeleteFunc(slices.Clone(re.SubexpNames()), func(g string) bool { return g == "" })
	k := known{names: groups, values: func(own string) (list [][]byte) {
		for _, l := range in.Sample.Lines {
			if m := re.FindSubmatch(l.Text); m != nil {
				list = append(list, m[re.SubexpIndex(own)])
			}
		}
		return list
	}}
	d := k.defaults(o)
	d.wrapper = in.Sample.stamped()
	if slices.Contains(groups, "key") {
		d.keys = []string{"key"}
	}
	lay, err := k.layout(in, d, "named groups of the pattern")
	if err != nil {
		return nil, err
	}
	return &regexSplitter{re, layOut(lay, re.SubexpIndex)}, nil
}

// WithGroups sets the client and cost options that are not given from the names
// of the pattern's groups.
func (o *Asked) WithGroups() {
	re, err := regexp.Compile(o.Pattern)
	if err != nil {
		return // Validate has reported this
	}
	names := re.SubexpNames()
	if o.Client == "" && slices.Contains(names, "client") {
		o.Client = "client"
	}
	if len(o.Cost) == 0 && slices.Contains(names, "cost") {
		o.Cost = []string{"cost"}
	}
}

func (s *regexSplitter) Split(line []byte) ([][]byte, text.Flaw) {
	at := s.re.FindSubmatchIndex(line)
	if at == nil {
		return nil, text.Flaw{Why: "does not match the pattern", Text: line}
	}
	for i, g := range s.at {
		if at[2*g] < 0 {
			s.fields[i] = nil
			continue
		}
		s.fields[i] = line[at[2*g]:at[2*g+1]:at[2*g+1]]
	}
	return s.fields, text.Flaw{}
}
