package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/jsontext"
)

var logfmtFormat = Format{
	Name:    "logfmt",
	By:      "Heroku, lograge, Go programs and others",
	Shows:   "name=value, separated by spaces or tabs; other words are ignored",
	Time:    "a name time, ts ..., else that of the wrapper",
	Key:     "a name with addresses, such as ip or fwd",
	Source:  "https://brandur.org/logfmt",
	open:    func(in *Input) (Splitter, error) { return openPairs(in, eachName, "") },
	shaped:  inPairs(eachName),
	general: true,
}

// eachName visits the names of a line with their values, which may be quoted.
func eachName(line []byte, visit func(name, value []byte)) {
	for len(line) > 0 {
		end := bytes.IndexAny(line, " \t=")
		if end < 0 {
			return
		}
		name := line[:end]
		if line[end] != '=' {
			line = line[end+1:]
			continue
		}
		line = line[end+1:]
		var value []byte
		if len(line) > 0 && line[0] == '"' {
			inside, rest := quoted(line[1:])
			if rest == nil {
				return
			}
			if value, line = inside, rest; bytes.IndexByte(value, '\\') >= 0 {
				value = jsontext.AppendUnescaped(nil, value)
			}
		} else {
			if end = bytes.IndexAny(line, " \t"); end < 0 {
				end = len(line)
			}
			value, line = line[:end], line[end:]
		}
		visit(name, value)
	}
}
