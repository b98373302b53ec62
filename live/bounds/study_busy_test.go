package bounds

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// programs are what this test binary also is, by its first argument.
var programs = map[string]func(args []string){
	"spin": func([]string) {
		spin(runtime.GOMAXPROCS(0))
		io.Copy(io.Discard, os.Stdin)
	},
}

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && programs[os.Args[1]] != nil {
		programs[os.Args[1]](os.Args[2:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// spin keeps n processors busy for half of the time, until stop is called. The runs take
// what is left: with spinning all the time, most answers would come too late.
func spin(n int) (stop func()) {
	const half = 20 * time.Millisecond
	var stopped atomic.Bool
	for range n {
		go func() {
			for !stopped.Load() {
				for start := time.Now(); time.Since(start) < half; {
				}
				time.Sleep(half)
			}
		}()
	}
	return func() { stopped.Store(true) }
}

// keepBusy keeps all processors busy until release is called: with another process, for
// which the system takes time away, and if asked to with a goroutine, for which Go does.
func keepBusy(t *testing.T, goroutine bool) (release func()) {
	stop := func() {}
	if goroutine {
		stop = spin(1)
	}
	c := exec.Command(os.Args[0], "spin")
	in, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		stop()
		in.Close()
		c.Wait()
	}
}
