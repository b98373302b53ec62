package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/limitgauge/limitgauge/internal/tempfile"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/sim"
)

// Library keeps copies of the logs that jobs read, in temporary files, and what was read
// from them. It keeps those of the last jobs alone. It is safe for concurrent use.
type Library struct {
	// Get writes the log with a SHA-256 in hexadecimal digits.
	Get func(ctx context.Context, sum string, to io.Writer) error

	mu   sync.Mutex
	last *shelf
}

// shelf holds the logs of jobs that name the same ones.
type shelf struct {
	of     string // the logs
	logs   sim.Logs
	copies []*tempfile.File
	users  int
}

// Open returns the logs of a job, nil if it names none, and a function that ends their
// use.
func (l *Library) Open(ctx context.Context, j *Job) (*sim.Logs, func(), error) {
	if len(j.Logs) == 0 {
		return nil, func() {}, nil
	}
	of, err := json.Marshal(j.Logs)
	if err != nil {
		return nil, nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.last
	if s == nil || s.of != string(of) {
		s = &shelf{of: string(of)}
		if err := l.fill(ctx, s, j.Logs); err != nil {
			s.close()
			return nil, nil, err
		}
		if l.last != nil && l.last.users == 0 {
			l.last.close()
		}
		l.last = s
	}
	s.users++
	return &s.logs, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if s.users--; s.users == 0 && s != l.last {
			s.close()
		}
	}, nil
}

// Close removes the copies. No job may use them any more.
func (l *Library) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last != nil {
		l.last.close()
		l.last = nil
	}
}

func (s *shelf) close() {
	s.logs.Close()
	for _, c := range s.copies {
		c.Close()
		c.Remove()
	}
}

// fill copies logs.
func (l *Library) fill(ctx context.Context, s *shelf, named []Log) error {
	places := &logs.Places{Globs: map[string][]string{}, Paths: map[string]string{}}
	for _, one := range named {
		places.Globs[one.Name] = one.Files
		for i, name := range one.Files {
			if places.Paths[name] != "" {
				continue
			}
			c, err := tempfile.Create(os.TempDir(), 0o600)
			if err != nil {
				return fmt.Errorf("copy of %s: %w", name, err)
			}
			s.copies = append(s.copies, c)
			hash := sha256.New()
			if err := l.Get(ctx, one.Sums[i], io.MultiWriter(c, hash)); err != nil {
				return fmt.Errorf("copy of %s: %w", name, err)
			}
			if sum := hex.EncodeToString(hash.Sum(nil)); sum != one.Sums[i] {
				return fmt.Errorf("copy of %s: its SHA-256 is %.12s, and should be %.12s: %w", name, sum, one.Sums[i], ErrDamaged)
			}
			places.Paths[name] = c.Name()
		}
	}
	s.logs.Places = places
	return nil
}
