// Package read reads the rate limits in configurations of servers. It tells a
// configuration's system by its content, never by its name.
//
// The package makes no promise: it can change at any time.
package read

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// reader reads the files of one system.
type reader struct {
	system string
	is     func(text []byte) bool
	read   func(files []File) (*check.Config, error)
}

// readers are in the order in which they are tried.
var readers = []reader{
	{"envoyproxy/ratelimit", isRateLimitService, readRateLimitService},
	{"ingress-nginx", isIngress, readIngress},
	{"Envoy", isEnvoy, readEnvoy},
	{"Traefik", isTraefik, readTraefik},
	{"HAProxy", isHAProxy, readHAProxy},
	{"nginx", isNginx, readNginx},
}

// sign is a pattern that tells the text of a system by one of its lines. Each match has one
// of the words, which are looked for first, because that is much faster in a long text.
type sign struct {
	*regexp.Regexp
	words []string
}

func newSign(pattern string, words ...string) sign { return sign{regexp.MustCompile(pattern), words} }

// Match reports whether a line of the text has the sign.
func (s sign) Match(text []byte) bool {
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if slices.ContainsFunc(s.words, func(word string) bool { return bytes.Contains(line, []byte(word)) }) && s.Regexp.Match(line) {
			return true
		}
	}
	return false
}

// may reports whether a text has one of the words.
func (s sign) may(text string) bool {
	return slices.ContainsFunc(s.words, func(word string) bool { return strings.Contains(text, word) })
}

// MatchString reports whether a word has the sign.
func (s sign) MatchString(word string) bool { return s.may(word) && s.Regexp.MatchString(word) }

// found is what was found in files.
type found struct {
	c     *check.Config
	parts map[string]int // indices of c.NotJudged
}

func newFound() found { return found{&check.Config{}, map[string]int{}} }

// maxQuote bounds the texts that are quoted of a line.
const maxQuote = 500

// name says that something is not judged.
func (x *found) name(what, why string, at check.Position) {
	i, ok := x.parts[what+why]
	if !ok {
		i = len(x.c.NotJudged)
		x.parts[what+why] = i
		x.c.NotJudged = append(x.c.NotJudged, check.Part{What: format.Shorten(what, maxQuote), Why: format.Shorten(why, maxQuote)})
	}
	x.c.NotJudged[i].Lines = append(x.c.NotJudged[i].Lines, at)
}

func (x *found) find(kind check.Kind, rule string, at check.Position, text string, args ...any) {
	at.Col = 0
	text, rule = format.Shorten(fmt.Sprintf(text, args...), maxQuote), format.Shorten(rule, maxQuote)
	x.c.Findings = append(x.c.Findings, check.Finding{Position: at, Kind: kind, Rule: rule, Text: text})
}

// constant returns the key of a bucket that all requests share.
func constant() check.Key {
	return check.Key{Value: func(func(string) string) string { return "all" }}
}

// Systems returns the names of the systems that are read.
func Systems() []string {
	return lists.Map(readers, func(r reader) string { return r.system })
}

// systemsOf returns the readers of a text: the first that takes it, and of several documents
// or objects of Kubernetes all, as each document can be of another system.
func systemsOf(text []byte) (found []reader) {
	several := isKubernetes.Match(text) || bytes.Contains(text, []byte("\n---"))
	for _, r := range readers {
		if (several || found == nil) && r.is(text) {
			found = append(found, r)
		}
	}
	return found
}

// Files reads files together. It names those of no system, if there are others. It returns a
// *SyntaxError with the position of what cannot be read. Requests can be judged if all rules are of one system.
func Files(files []File) (*check.Config, error) {
	by, rest := map[string][]File{}, newFound()
	var untaken []File
	for _, f := range files {
		parts := []File{f}
		if isKubernetes.Match(f.Text) {
			var err error
			if parts, err = unpack(f); err != nil {
				return nil, err
			}
			rest.untaken(parts[0])
		}
		taken := false
		for _, part := range parts {
			for _, r := range systemsOf(part.Text) {
				taken, by[r.system] = true, append(by[r.system], part)
			}
		}
		if !taken {
			untaken = append(untaken, f)
		}
	}
	for _, f := range untaken {
		err := &SyntaxError{check.Position{File: f.Name, Line: 1}, "is no configuration of a system that is read: " + strings.Join(Systems(), ", ")}
		switch {
		case len(by) == 0:
			return nil, err
		case slices.ContainsFunc(by["nginx"], func(main File) bool { return includes(main, f.Name) }):
			by["nginx"] = append(by["nginx"], f)
		default:
			rest.name("file", "of no system that is read", err.Position)
		}
	}
	all := &check.Config{Said: check.Said{Rules: []check.Rule{}, Findings: []check.Finding{}, NotJudged: []check.Part{}}}
	for _, r := range readers {
		if by[r.system] == nil {
			continue
		}
		c, err := r.read(by[r.system])
		if err != nil {
			return nil, err
		}
		all.Add(c)
	}
	for i := range all.Rules {
		r := &all.Rules[i]
		for _, text := range []*string{&r.Name, &r.Key, &r.Counts, &r.Rate} {
			*text = format.Shorten(*text, maxQuote)
		}
	}
	all.NotJudged = append(all.NotJudged, rest.c.NotJudged...)
	all.Sort(lists.Map(files, func(f File) string { return f.Name }))
	return all, nil
}
