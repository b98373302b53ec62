package bounds

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sys/unix"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/live/targets/exec"
)

// overExec sends a run to a program, which is this test binary. The program leaves out
// the answers in lost, after it has decided them. It writes its log when its input ends.
var overExec = func(ctx context.Context, s *studied) (virtual, error) {
	dir, err := os.MkdirTemp("", "limitgauge-study-")
	if err != nil {
		return virtual{}, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "log.json")
	start, startNs := bothClocks()
	target, err := exec.Kind().Open(ctx, &targets.Setting{Clients: clients, Addresses: []string{fmt.Sprintf("%s limiter %d %d %v %d %s",
		format.ShellQuote(os.Args[0]), s.seed, s.windows, s.quiet, startNs, format.ShellQuote(file))}}, nil)
	if err != nil {
		return virtual{}, err
	}
	r, err := s.send(ctx, target)
	if err := errors.Join(err, target.Close()); err != nil {
		return virtual{}, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return virtual{}, err
	}
	var all []entry
	if err := json.Unmarshal(text, &all); err != nil {
		return virtual{}, err
	}
	var log []decision
	for _, e := range all {
		log = append(log, decision{e.AtNs, 1, e.Number, e.Admitted})
	}
	return s.logged(r, log, int64(start.Sub(r.Start)))
}

// entry is a decision in the log of a program.
type entry struct {
	AtNs     int64
	Number   int // of the request
	Admitted bool
}

// monotonic reads the clock that all processes share, and that package time uses.
func monotonic() int64 {
	var t unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // cannot fail with this clock
	return t.Nano()
}

// bothClocks returns one time of both clocks, within what it takes to read them. It
// takes the best of several attempts, because a process can be interrupted.
func bothClocks() (at time.Time, ns int64) {
	least := unset
	for range 100 {
		before, now := monotonic(), time.Now()
		if took := monotonic() - before; took < least {
			least, at, ns = took, now, before
		}
	}
	return at, ns
}

func init() { programs["limiter"] = limiterProgram }

// limiterProgram decides the requests of a run. Its arguments are those of newStudied,
// its time 0, and the file of its log.
func limiterProgram(args []string) {
	var numbers [4]int64
	for i := range numbers {
		numbers[i], _ = strconv.ParseInt(args[i], 10, 64) // quiet is 0
	}
	s := newStudied(uint64(numbers[0]), numbers[1], args[2] == "true")
	limiter := s.limiter(func() int64 { return monotonic() - numbers[3] })
	in := bufio.NewScanner(os.Stdin)
	in.Scan() // what a program must know first
	for in.Scan() {
		var r struct{ I int64 }
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		if admitted := limiter.decide(r.I); !s.lost[r.I] {
			fmt.Printf("{\"i\":%d,\"admit\":%v}\n", r.I, admitted)
		}
	}
	var all []entry
	for _, d := range limiter.log {
		all = append(all, entry{d.at, d.of, d.admitted})
	}
	text, err := json.Marshal(all)
	if err == nil {
		err = os.WriteFile(args[4], text, 0o666)
	}
	if err != nil {
		panic(err)
	}
}
