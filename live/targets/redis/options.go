//go:build network

package redis

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"strconv"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Kind returns the kind of limiters that are a script in a Redis server.
func Kind() targets.Kind {
	k := targets.Of(targets.Redis(), read, open)
	k.Clock = true
	return k
}

type options struct {
	script          string
	keys, arguments []targets.Template
	reply           reply
	user            string
	password        string
	address         address
	connections     int64
	timeoutNs       int64
}

func read(s *targets.Setting, v catalog.Values) (o options, err error) {
	found, err := find(v.String("script"))
	if err != nil {
		return o, err
	}
	list := func(option string, otherwise []any) []any {
		if v.Set(option) {
			return v.List(option)
		}
		return otherwise
	}
	o = options{
		script: found.text, user: v.String("user"),
		connections: v.Int("connections"), timeoutNs: v.Duration("timeout"),
	}
	var wrong [4]error
	o.keys, wrong[0] = s.Templates("keys", list("keys", []any{"limitgauge:{run}:{key}"}))
	o.arguments, wrong[1] = s.Templates("arguments", list("arguments", found.arguments))
	o.reply, wrong[2] = readReply(list("reply", found.reply))
	o.reply.rejected, wrong[3] = condition(v.String("rejected_if"))
	text, err := s.One()
	if err = cmp.Or(cmp.Or(wrong[:]...), err); err != nil {
		return o, err
	}
	if o.address, err = parse(text); err != nil {
		return o, err
	}
	if o.address.network == "tcp" {
		if err := s.Allowed(o.address.host); err != nil {
			return o, err
		}
	}
	o.password, err = password(s, v.String("password_file"))
	return o, err
}

var comparison = regexp.MustCompile(`^\s*(=|!=|<|<=|>|>=)\s*(-?[0-9.]+)\s*$`)

// condition returns the condition that a text such as "> 100" states.
func condition(text string) (func(float64) bool, error) {
	parts := comparison.FindStringSubmatch(text)
	if parts == nil {
		return nil, fmt.Errorf("rejected_if: %q: want =, !=, <, <=, > or >= and a number, such as = 0", text)
	}
	bound, err := strconv.ParseFloat(parts[2], 64)
	if err != nil || math.IsInf(bound, 0) {
		return nil, fmt.Errorf("rejected_if: %q: %q is not a number", text, parts[2])
	}
	return map[string]func(float64) bool{
		"=":  func(v float64) bool { return v == bound },
		"!=": func(v float64) bool { return v != bound },
		"<":  func(v float64) bool { return v < bound },
		"<=": func(v float64) bool { return v <= bound },
		">":  func(v float64) bool { return v > bound },
		">=": func(v float64) bool { return v >= bound },
	}[parts[1]], nil
}
