package bounds

import (
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync/atomic"
	"testing"
)

// TestMain runs this test binary as another program if its first argument asks for it.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "spin":
			spin()
			io.Copy(io.Discard, os.Stdin)
			os.Exit(0)
		}
	}
	os.Exit(m.Run())
}

// spin keeps as many processors busy as Go uses, until stop is called.
func spin() (stop func()) {
	var stopped atomic.Bool
	for range runtime.GOMAXPROCS(0) {
		go func() {
			for !stopped.Load() {
			}
		}()
	}
	return func() { stopped.Store(true) }
}

// keepBusy keeps all processors busy until release is called: with another process, for
// which the system takes time away, or with goroutines, for which Go does.
func keepBusy(t *testing.T, goroutines bool) (release func()) {
	if goroutines {
		return spin()
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
		in.Close()
		c.Wait()
	}
}
