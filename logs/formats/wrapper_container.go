package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/jsontext"
)

// criWrapper is the format of the files that container runtimes write for
// Kubernetes: time, stream, F for a whole line or the last part of it, P for
// any other part.
var criWrapper = wrapper{name: "cri", peel: peelCRI, firm: true}

func peelCRI(line []byte, _ *[]byte) (p peeled, ok bool) {
	i := bytes.IndexByte(line, ' ')
	if i < 0 || !isoStamp(line[:i]) {
		return p, false
	}
	p.stamp = line[:i:i]
	rest, out := bytes.CutPrefix(line[i+1:], []byte("stdout "))
	if !out {
		if rest, p.stderr = bytes.CutPrefix(line[i+1:], []byte("stderr ")); !p.stderr {
			return p, false
		}
	}
	tags, inner, _ := bytes.Cut(rest, []byte(" "))
	tag, _, _ := bytes.Cut(tags, []byte(":"))
	p.partial = string(tag) == "P"
	p.inner = inner
	return p, p.partial || string(tag) == "F"
}

// dockerWrapper is Docker's json-file driver: {"log":"...\n","stream":"stdout",
// "time":"..."}. A log without a line break at its end is a part of a line.
var dockerWrapper = wrapper{name: "docker", peel: peelDocker, firm: true}

func peelDocker(line []byte, scratch *[]byte) (p peeled, ok bool) {
	if len(line) < 2 || line[0] != '{' || !jsontext.Valid(line) {
		return p, false
	}
	var text []byte
	other := false
	jsontext.Walk(line, func(key, member []byte) bool {
		switch string(key) {
		case `"log"`:
			text = member
		case `"stream"`:
			p.stderr = string(member) == `"stderr"`
		case `"time"`:
			if len(member) > 2 && member[0] == '"' {
				p.stamp = member[1 : len(member)-1]
			}
		case `"attrs"`:
		default:
			other = true
		}
		return true
	})
	if other || len(text) < 2 || text[0] != '"' || p.stamp == nil {
		return p, false
	}
	text = text[1 : len(text)-1]
	if !bytes.HasSuffix(text, []byte(`\n`)) {
		p.partial = true
	} else {
		text = bytes.TrimSuffix(text[:len(text)-2], []byte(`\r`))
	}
	if p.inner = text; bytes.IndexByte(text, '\\') >= 0 {
		*scratch = jsontext.AppendUnescaped((*scratch)[:0], text)
		p.inner = *scratch
	}
	return p, true
}
