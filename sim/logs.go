package sim

import (
	"context"
	"io"
	"reflect"
	"slices"
	"sync"

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
)

// logReader reads the logs that traffic entries name.
type logReader struct {
	dir      string
	stdin    io.Reader                // nil once it has been read
	hash     func(name string) string // of keys, nil if their names are shown
	memory   int64                    // bytes for the rows of each log; 0 means the default
	progress func(done, total int64)
	kept     *Logs // nil: its own
	own      Logs
}

// Logs keeps the recordings that several runs read, so that each log is read once. The
// zero value is ready. Runs may use it in parallel.
type Logs struct {
	Places *logs.Places // where the logs are, if not under their names; set before the first run

	mu   sync.Mutex
	read []readLog
}

// Close releases the recordings. No run may use them after it.
func (k *Logs) Close() {
	for _, known := range k.read {
		known.Close()
	}
}

// readLog is a recording and the options it was read with.
type readLog struct {
	options logs.Options
	*logs.Recording
}

// close releases the recordings that are its own. No plan may run after it.
func (l *logReader) close() { l.own.Close() }

// recording reads the logs of an entry. It returns an earlier recording if that
// was read with the same options. shared reports that the policy has one limit
// for all requests. The logReader closes the recordings.
func (l *logReader) recording(ctx context.Context, t *scenarios.Traffic, shared bool) (*logs.Recording, error) {
	var places *logs.Places
	if l.kept != nil {
		places = l.kept.Places
	}
	o, err := logs.OptionsWith(t.Options, l.dir, places)
	if err != nil {
		return nil, err
	}
	o.Hide = l.hash != nil
	if o.Hide && o.PerFile {
		return nil, &logs.Error{Reason: logs.BadOptions, Message: "the names of files are the keys, and results name the files: keys cannot be hashed"}
	}
	o.Shared = shared || len(t.Descriptors) > 0 && t.Descriptors[0].LogField() != ""
	for i := range t.Descriptors {
		if field := t.Descriptors[i].LogField(); field != "" {
			o.Fields = append(o.Fields, field)
		}
	}
	if slices.Contains(o.Files, "-") {
		if l.stdin == nil {
			return nil, &logs.Error{Reason: logs.BadOptions, Message: "standard input can be read only once, and it was"}
		}
		o.Stdin, l.stdin = l.stdin, nil
	}
	options, kept := o, l.kept
	if kept == nil {
		kept = &l.own
	}
	kept.mu.Lock()
	defer kept.mu.Unlock()
	for _, known := range kept.read {
		if reflect.DeepEqual(known.options, options) {
			return known.Recording, nil
		}
	}
	o.SortMemory, o.Progress = l.memory, l.progress
	r, err := logs.Read(ctx, o)
	if err == nil {
		kept.read = append(kept.read, readLog{options, r})
	}
	return r, err
}

// ReadLogs reads the logs that the traffic of a scenario of a file replays, and returns
// them by the index of the entry, for callers that send this traffic themselves. The
// recordings are kept until kept is closed.
func ReadLogs(ctx context.Context, f *scenarios.File, s *scenarios.Scenario, kept *Logs) (recordings map[int]*logs.Recording, err error) {
	reader := &logReader{dir: f.Dir, kept: kept}
	recordings = map[int]*logs.Recording{}
	for i := range s.Traffic {
		if s.Traffic[i].Pattern != "trace" {
			continue
		}
		if recordings[i], err = reader.recording(ctx, &s.Traffic[i], s.Policy.Shared); err != nil {
			return nil, err
		}
	}
	return recordings, nil
}
