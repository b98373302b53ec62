package logs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/tempfile"
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/kept"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// little returns room for a few rows: every few rows are a separate run in a
// temporary file, and runs are merged two at a time.
func little() *kept.Room { return &kept.Room{Rows: 3, Memory: 0, Runs: 2} }

// drawLog generates a log and options to read it.
func drawLog(t *rapid.T) (text string, o Options) {
	// Time steps are one unit, a few units, or any number: equal times, nearly
	// ordered times and unordered times.
	reach := rapid.SampledFrom([]int64{1, 20, 1 << 30}).Draw(t, "reach")
	unit := rapid.SampledFrom([]int64{1, 100, 1e9}).Draw(t, "unit")
	drift := rapid.Int64Range(0, 2).Draw(t, "drift")
	costs := rapid.SampledFrom([]int64{1, 200, 1e15}).Draw(t, "costs")
	rows := rapid.IntRange(1, 700).Draw(t, "rows")
	draw := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
	var b strings.Builder
	b.WriteString("time,key,page,gateway,cost\n0,a,a,a,1\n")
	name := func() byte { return "-abcdefghijklmnopqrstuvwxyz"[draw.IntN(27)] }
	for i := range int64(rows) {
		fmt.Fprintf(&b, "%d,%c,%c,%c,%d\n", (i*drift+draw.Int64N(reach))*unit, name(), name(), name(), 1+draw.Int64N(costs))
	}
	o = Options{Repeat: rapid.IntRange(0, 2).Draw(t, "repeat"), Copies: rapid.IntRange(0, 3).Draw(t, "copies"), Asked: formats.Asked{TimeFormat: "relative-ns"}}
	if rapid.Bool().Draw(t, "all columns") {
		o.Client, o.Cost, o.Fields = "gateway", []string{"cost"}, []string{"page"}
	}
	o.Rebase = rapid.Bool().Draw(t, "rebase")
	o.Keep = rapid.SampledFrom([]units.Fraction{{}, {Num: 1, Den: 1}, {Num: 1, Den: 2}, {Num: 1, Den: 300}}).Draw(t, "keep")
	return b.String(), o
}

// A recording sorted with room for a few rows equals one sorted in memory.
func TestSortWithLittleRoom(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawLog(t)
		o.Files = []string{"-"}
		o.Stdin = strings.NewReader(text)
		want, err := readRows(o)
		if err != nil {
			t.Fatal(err)
		}
		o.Stdin = strings.NewReader(text)
		o.room = &kept.Room{
			Rows: rapid.IntRange(1, 300).Draw(t, "rows of room"), Memory: rapid.IntRange(0, 3000).Draw(t, "bytes of room"),
			Runs: rapid.IntRange(2, 5).Draw(t, "runs of room"),
		}
		got, err := readRows(o)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n %+v\nwant\n %+v", got, want)
		}
	})
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// A recording in memory has the log's lines in a stable order by time.
func TestSortAgainstStableSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawLog(t)
		o = Options{Files: []string{"-"}, Stdin: strings.NewReader(text), room: little(), Asked: formats.Asked{TimeFormat: o.TimeFormat}}
		got, err := readRows(o)
		if err != nil {
			t.Fatal(err)
		}
		type line struct {
			at  int64
			key string
		}
		var want []line
		for _, text := range strings.Split(strings.TrimSpace(text), "\n")[1:] {
			var l line
			fmt.Sscanf(strings.ReplaceAll(text, ",", " "), "%d %s", &l.at, &l.key)
			want = append(want, l)
		}
		slices.SortStableFunc(want, func(a, b line) int { return int(max(-1, min(1, a.at-b.at))) })
		for i, l := range want {
			if got.Time[i] != l.at || got.KeyNames[got.Key[i]] != l.key {
				t.Fatalf("row %d: %d %s, want %v", i, got.Time[i], got.KeyNames[got.Key[i]], l)
			}
		}
		if len(got.Time) != len(want) {
			t.Fatalf("%d rows, want %d", len(got.Time), len(want))
		}
	})
}

// Playing a part of a recording gives the requests between its ends.
func TestPlayOfAPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text, o := drawLog(t)
		o.Files, o.Stdin = []string{"-"}, strings.NewReader(text)
		r, err := Read(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		all, err := r.all()
		if err != nil {
			t.Fatal(err)
		}
		if len(all.Time) == 0 {
			return
		}
		instant := func(label string) int64 {
			return rapid.SampledFrom(all.Time).Draw(t, label) + rapid.Int64Range(-1, 1).Draw(t, "beside")
		}
		from, to := instant("from"), instant("to")
		span, err := r.Span(from, to)
		if err != nil {
			t.Fatal(err)
		}
		var want Span
		for i, at := range all.Time {
			if from <= at && at < to {
				if want.Rows == 0 {
					want.First = at
				}
				want.Rows, want.Last = want.Rows+1, at
				want.MaxCost = max(want.MaxCost, 1)
				if all.Cost != nil {
					want.MaxCost = max(want.MaxCost, all.Cost[i])
				}
			}
		}
		if span != want {
			t.Fatalf("from %d to %d: %+v, want %+v", from, to, span, want)
		}
	})
}

// shuffled returns a log of this number of rows in random order.
func shuffled(rows int) io.Reader {
	var b bytes.Buffer
	b.WriteString("time,key\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,k%d\n", i*7919%rows, i)
	}
	return &b
}

// temporary creates a temporary file as the sorter does.
func temporary() (*tempfile.File, error) { return tempfile.Create(os.TempDir(), 0o600) }

// If a temporary file cannot be created or written, the error is an I/O failure
// that names the folder and a remedy.
func TestTemporaryFileFails(t *testing.T) {
	dir := t.TempDir()
	full := func() (*tempfile.File, error) {
		f, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
		return &tempfile.File{File: f}, err
	}
	if f, err := full(); err == nil {
		f.Close()
	} else {
		full = nil
	}
	closed := func() (*tempfile.File, error) { // fails to write, like a broken disk
		f, err := os.Create(filepath.Join(dir, "closed"))
		f.Close()
		return &tempfile.File{File: f}, err
	}
	for _, name := range []string{"TMPDIR", "TMP"} { // Windows reads TMP
		t.Setenv(name, filepath.Join(dir, "missing"))
	}
	for name, c := range map[string]struct {
		create func() (*tempfile.File, error)
		want   error
	}{
		"no such folder": {temporary, fs.ErrNotExist}, "full": {full, syscall.ENOSPC}, "closed": {closed, os.ErrClosed},
	} {
		if c.create == nil {
			continue
		}
		_, err := Read(context.Background(), Options{Files: []string{"-"}, Stdin: shuffled(1000), room: little(), create: c.create, Asked: formats.Asked{TimeFormat: "s"}})
		var e *text.Error
		if !errors.As(err, &e) || e.Reason != text.Failure || !errors.Is(err, c.want) || !strings.Contains(err.Error(), "TMPDIR") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// If a block cannot be read, playing ends with an error.
func TestTemporaryFileIsGone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var file *tempfile.File // the last one, which holds all rows
	create := func() (f *tempfile.File, err error) {
		file, err = temporary()
		return file, err
	}
	r, err := Read(context.Background(), Options{Files: []string{"-"}, Stdin: shuffled(1000), room: little(), create: create, Asked: formats.Asked{TimeFormat: "s"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	file.Truncate(0)
	c := r.Play(0, 1<<62)
	if n := c.Fill(make([]int64, 10)); n != 0 || c.Err() == nil {
		t.Errorf("%d rows, error %v", n, c.Err())
	}
}

// stopping cancels a context when its text has been read.
type stopping struct {
	io.Reader
	cancel func()
}

func (s stopping) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err == io.EOF {
		s.cancel()
	}
	return n, err
}

// A cancelled merge leaves no files.
func TestMergeIsCanceled(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Read(ctx, Options{Files: []string{"-"}, Stdin: stopping{shuffled(1000), cancel}, room: little(), Asked: formats.Asked{TimeFormat: "s"}})
	if err != context.Canceled {
		t.Errorf("%v, want canceled", err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// The memory for reading a log does not depend on its length, except for the
// list of runs: less than a byte per row, even for short runs.
func TestMemoryOfALongLog(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	for name, at := range map[string]func(i int) int{
		"in order":     func(i int) int { return i },
		"nearly":       func(i int) int { return i - i*7919%50 },
		"all the same": func(int) int { return 5 },
	} {
		allocated := func(rows int) int64 {
			var text bytes.Buffer
			text.WriteString("time,key\n")
			for i := range rows {
				fmt.Fprintf(&text, "%d,%d\n", 50+at(i), i%1000)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r, err := Read(context.Background(), Options{Files: []string{"-"}, Stdin: &text, room: &kept.Room{Rows: 1000, Memory: 64 << 10, Runs: 8}, Asked: formats.Asked{TimeFormat: "s"}})
			runtime.ReadMemStats(&after)
			if err != nil {
				t.Fatal(err)
			}
			r.Close()
			return int64(after.TotalAlloc - before.TotalAlloc)
		}
		short, long := allocated(200_000), allocated(600_000)
		if grown := long - short; grown > 400_000 {
			t.Errorf("%s: %d bytes for a short log, %d more for one of three times its length", name, short, grown)
		}
	}
}

// BenchmarkOutOfOrder reads rows in random order, which are kept in a temporary
// file.
func BenchmarkOutOfOrder(b *testing.B) {
	const rows = 500_000
	text := shuffled(rows).(*bytes.Buffer).Bytes()
	benchmarkRead(b, text, LeastSortMemory)
}

// BenchmarkPlay plays a recording.
func BenchmarkPlay(b *testing.B) {
	const rows = 500_000
	r, err := Read(context.Background(), Options{Files: []string{"-"}, Stdin: shuffled(rows), Asked: formats.Asked{TimeFormat: "s"}})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	times := make([]int64, 1024)
	for b.Loop() {
		for c := r.Play(0, 1<<62); c.Fill(times) > 0; {
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/rows, "ns/row")
}
