package jobs

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Sums hashes logs, each once. The zero value is ready. It is safe for concurrent use.
type Sums struct {
	mu   sync.Mutex
	sums map[string]string // in hexadecimal digits, by name of the file
}

// Of returns the SHA-256 of each log that a file reads.
func (l *Sums) Of(f *scenarios.File) ([]string, error) {
	list, err := l.Logs(f)
	return slices.Concat(lists.Map(list, func(one Log) []string { return one.Sums })...), err
}

// Logs returns the entries of a file that name logs, as jobs have them.
func (l *Sums) Logs(f *scenarios.File) (list []Log, err error) {
	for i := range f.Scenarios {
		for j := range f.Scenarios[i].Traffic {
			t := &f.Scenarios[i].Traffic[j]
			if t.Pattern != "trace" {
				continue
			}
			names, err := logs.FileNames(t.Options, f.Dir)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				one := Log{Name: name}
				if one.Files, err = logs.Expand([]string{name}); err != nil {
					return nil, err
				}
				if one.Sums, err = lists.Try(one.Files, l.sum); err != nil {
					return nil, err
				}
				list = append(list, one)
			}
		}
	}
	return list, nil
}

// List returns the sums of all logs so far, by name.
func (l *Sums) List() []results.SweepLog {
	l.mu.Lock()
	defer l.mu.Unlock()
	return lists.Map(slices.Sorted(maps.Keys(l.sums)), func(name string) results.SweepLog { return results.SweepLog{File: name, SHA256: l.sums[name]} })
}

func (l *Sums) sum(name string) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sum := l.sums[name]; sum != "" {
		return sum, nil
	}
	if name == "-" {
		return "", &logs.Error{Reason: logs.BadOptions, Message: "a sweep cannot read a log from standard input: name a file"}
	}
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	if l.sums == nil {
		l.sums = map[string]string{}
	}
	l.sums[name] = hex.EncodeToString(hash.Sum(nil))
	return l.sums[name], nil
}
