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

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Sums hashes logs, each once. The zero value is ready. It is safe for concurrent use.
type Sums struct {
	mu   sync.Mutex
	sums map[string][]byte // by name of the file
}

// Of returns the SHA-256 of each log that a file reads.
func (l *Sums) Of(f *scenarios.File) (sums [][]byte, err error) {
	for i := range f.Scenarios {
		for j := range f.Scenarios[i].Traffic {
			t := &f.Scenarios[i].Traffic[j]
			if t.Pattern != "trace" {
				continue
			}
			o, err := logs.OptionsFrom(t.Options, f.Dir)
			if err != nil {
				return nil, err
			}
			files, err := logs.Expand(o.Files)
			if err != nil {
				return nil, err
			}
			for _, name := range files {
				sum, err := l.sum(name)
				if err != nil {
					return nil, err
				}
				sums = append(sums, sum)
			}
		}
	}
	return sums, nil
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
				for _, file := range one.Files {
					sum, err := l.sum(file)
					if err != nil {
						return nil, err
					}
					one.Sums = append(one.Sums, hex.EncodeToString(sum))
				}
				list = append(list, one)
			}
		}
	}
	return list, nil
}

// List returns the sums of all logs so far, by name.
func (l *Sums) List() (list []results.SweepLog) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, name := range slices.Sorted(maps.Keys(l.sums)) {
		list = append(list, results.SweepLog{File: name, SHA256: hex.EncodeToString(l.sums[name])})
	}
	return list
}

func (l *Sums) sum(name string) ([]byte, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if sum := l.sums[name]; sum != nil {
		return sum, nil
	}
	if name == "-" {
		return nil, &logs.Error{Reason: logs.BadOptions, Message: "a sweep cannot read a log from standard input: name a file"}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if l.sums == nil {
		l.sums = map[string][]byte{}
	}
	l.sums[name] = hash.Sum(nil)
	return l.sums[name], nil
}
