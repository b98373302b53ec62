// Package targets declares what kinds of real limiters have in common: how one is
// opened, which hosts it may be on, the texts that are made of a request, and the
// connections that its requests share.
//
// The package makes no promise: it can change at any time.
package targets

import (
	"context"
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Kind is a kind of real limiters, such as scripts in Redis.
type Kind struct {
	Entry catalog.Entry // its name, texts and options
	Clock bool          // its limiters implement exchange.Clock; others go by the clock of this machine

	// Check returns what is wrong with the addresses or an option, as far as that shows
	// without a connection. Open returns it, too.
	Check func(s *Setting, options catalog.Values) error

	// Open connects to a limiter. It returns an error if the limiter cannot be reached
	// or an option is wrong. Options that are not set have their defaults.
	Open func(ctx context.Context, s *Setting, options catalog.Values) (exchange.Target, error)
}

// Of returns a kind whose options and addresses read reads, and open opens. Options that
// are not set have their defaults.
func Of[O any](entry catalog.Entry, read func(*Setting, catalog.Values) (O, error), open func(context.Context, *Setting, O) (exchange.Target, error)) Kind {
	full := func(s *Setting, options catalog.Values) (O, error) {
		return read(s, catalog.WithDefaults(entry.Fields, options))
	}
	return Kind{
		Entry: entry,
		Check: func(s *Setting, options catalog.Values) error {
			_, err := full(s, options)
			return err
		},
		Open: func(ctx context.Context, s *Setting, options catalog.Values) (exchange.Target, error) {
			o, err := full(s, options)
			if err != nil {
				return nil, err
			}
			return open(ctx, s, o)
		},
	}
}

// Setting is what a limiter is opened for.
type Setting struct {
	Addresses []string // at least one
	Clients   int      // how many clients send, at least one
	Policy    Policy
	Allow     []string // hosts other than this machine that may be connected to
	Run       string   // a random word, so that runs have keys of their own
	// Lookup returns a variable of the environment. Credentials come from there or
	// from a file, and from nowhere else.
	Lookup func(name string) (string, bool)
}

// Policy is the limit that a limiter is asked to keep.
type Policy struct {
	Limit    int64 // tokens per window
	WindowNs int64
	Burst    int64 // tokens
}

// words returns the words that templates can contain and that are the same for each
// request.
func (s *Setting) words() map[string]string {
	return map[string]string{
		"run":       s.Run,
		"limit":     fmt.Sprint(s.Policy.Limit),
		"burst":     fmt.Sprint(s.Policy.Burst),
		"window_ms": fmt.Sprint(s.Policy.WindowNs / 1e6),
		"window_us": fmt.Sprint(s.Policy.WindowNs / 1e3),
		"window_s":  format.Seconds(s.Policy.WindowNs),
	}
}

// One returns the only address. It returns an error if there are several.
func (s *Setting) One() (string, error) {
	if len(s.Addresses) != 1 {
		return "", fmt.Errorf("%d addresses: want one", len(s.Addresses))
	}
	return s.Addresses[0], nil
}

// Templates parses the texts of an option. Its error names the option.
func (s *Setting) Templates(option string, texts []any) ([]Template, error) {
	all := make([]Template, len(texts))
	for i, text := range texts {
		var err error
		if all[i], err = s.Template(text.(string)); err != nil {
			return nil, fmt.Errorf("%s, element %d: %w", option, i+1, err)
		}
	}
	return all, nil
}
