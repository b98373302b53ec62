//go:build network

package jetstream

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/wait"
	"github.com/limitgauge/limitgauge/search/jobs"
)

// A worker that cannot write copies of logs gives its jobs back, however often. It and the
// command say so, and the jobs are answered when it can write.
func TestWorkerCannotWrite(t *testing.T) {
	dir := t.TempDir()
	log := []byte("time_s,ip\n1,a\n2,b\n9,a\n")
	path := filepath.Join(dir, "log.csv")
	if err := os.WriteFile(path, log, 0o666); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(log)
	temporary := filepath.Join(dir, "missing")
	t.Setenv("TMPDIR", temporary)
	usual := rest
	t.Cleanup(func() { rest = usual }) // after the worker has ended
	rest = time.Second
	at := embeddedPlace(t)
	var given, told atomic.Int64
	at.Note = func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		t.Log(text)
		switch {
		case strings.Contains(text, ": given back, because this machine cannot write; taking no job for a minute: "):
			given.Add(1)
		case strings.Contains(text, " gives its jobs back, because its machine cannot write: copy of "):
			told.Add(1)
		}
	}
	q := openQueue(t, at)
	defer q.Close()
	startWorker(t, at, nil)
	ended := make(chan error, 1)
	var answered atomic.Int64
	go func() {
		ended <- q.Run(context.Background(), jobs.Round{
			N: 3,
			Job: func(i int) (*jobs.Job, error) {
				return &jobs.Job{Name: fmt.Sprint("job ", i), Dir: ".",
					Logs:     []jobs.Log{{Name: path, Files: []string{path}, Sums: []string{hex.EncodeToString(sum[:])}}},
					Scenario: fmt.Appendf(nil, "version: 1\nseed: %d\nscenarios: [{name: one, policy: {limit: 1/min}, traffic: [{pattern: trace, file: %q}], algorithms: [gcra]}]\n", i+1, path)}, nil
			},
			Done: func(int, []byte) error { answered.Add(1); return nil },
		})
	}()
	wait.Until(t, "the command names the worker", func() bool { return told.Load() > 0 })
	if given.Load() == 0 || told.Load() != 1 || answered.Load() != 0 {
		t.Errorf("%d jobs were given back, the command said so %d times, and %d jobs have answers", given.Load(), told.Load(), answered.Load())
	}
	if err := os.Mkdir(temporary, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil || answered.Load() != 3 {
		t.Errorf("%d jobs have answers, %v", answered.Load(), err)
	}
}
