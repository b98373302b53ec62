package formats

import "bytes"

var ltsvFormat = Format{
	Name:    "ltsv",
	By:      "nginx, Apache and others with labels in their log format",
	Shows:   "label:value, separated by tabs",
	Time:    "a label time, timestamp ...",
	Key:     "a label with addresses, such as host or client_ip",
	Source:  "http://ltsv.org/",
	open:    func(in *Input) (Splitter, error) { return openPairs(in, eachLabel, "host") },
	shaped:  inPairs(eachLabel),
	general: true,
}

// eachLabel visits the labels of a line with their values, if it has nothing else.
func eachLabel(line []byte, visit func(name, value []byte)) {
	for _, reads := range []bool{false, true} {
		for field := range bytes.SplitSeq(line, []byte("\t")) {
			label, value, ok := bytes.Cut(field, []byte(":"))
			if !ok || !isHost(label) {
				return
			}
			if reads {
				visit(label, value)
			}
		}
	}
}
