//go:build network

package rls

import (
	"cmp"
	"fmt"
	"net"
	"strings"

	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Kind returns the kind of limiters that are rate limit services of Envoy.
func Kind() targets.Kind { return targets.Of(targets.RLS(), read, open) }

type options struct {
	domain      string
	descriptors [][]entry
	timeoutNs   int64
	onTimeout   string
	tls         bool
}

// entry is one entry of a descriptor.
type entry struct {
	key   string
	value targets.Template
}

func read(s *targets.Setting, v catalog.Values) (o options, err error) {
	o = options{domain: v.String("domain"), timeoutNs: v.Duration("timeout"), onTimeout: v.String("on_timeout"), tls: v.Bool("tls")}
	texts := v.List("descriptors")
	if !v.Set("descriptors") {
		texts = []any{"key={key}"}
	}
	for i, text := range texts {
		d, err := descriptor(s, text.(string))
		if err != nil {
			return o, fmt.Errorf("descriptors, element %d: %w", i+1, err)
		}
		o.descriptors = append(o.descriptors, d)
	}
	for _, address := range s.Addresses {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return o, fmt.Errorf("%q: want HOST:PORT", address)
		}
		if err := s.Allowed(host); err != nil {
			return o, err
		}
	}
	return o, cmp.Or(catalog.ErrorIf(o.domain == "", "domain is missing: the domain of the limits in the service's configuration"),
		catalog.ErrorIf(len(o.descriptors) == 0, "descriptors: none is listed"))
}

// descriptor parses a descriptor such as "generic_key=checkout, user={key}".
func descriptor(s *targets.Setting, text string) (d []entry, err error) {
	for one := range strings.SplitSeq(text, ",") {
		key, value, ok := strings.Cut(strings.TrimSpace(one), "=")
		if !ok || key == "" {
			return nil, fmt.Errorf("%q: want NAME=TEMPLATE, such as user={key}, with commas between several", text)
		}
		t, err := s.Template(value)
		if err != nil {
			return nil, err
		}
		d = append(d, entry{key, t})
	}
	return d, nil
}
