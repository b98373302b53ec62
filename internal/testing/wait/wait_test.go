package wait

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

func TestWaits(t *testing.T) {
	asked := 0
	Until(t, "three questions", func() bool { asked++; return asked == 3 })
	if asked != 3 {
		t.Errorf("asked %d times, want 3", asked)
	}
	closed := make(chan int)
	close(closed)
	if !For(t, closed) {
		t.Error("a closed channel does not count")
	}
	if Context(t).Err() != nil {
		t.Error("the context has ended")
	}
}

// TestEnds checks that waits in vain end in time to say so.
func TestEnds(t *testing.T) {
	if os.Getenv("WAIT_IN_VAIN") != "" {
		if For(t, make(chan int)) {
			t.Fatal("nothing happened")
		}
		Until(t, "pigs fly", func() bool { return false })
	}
	c := exec.Command(os.Args[0], "-test.run", "^TestEnds$", "-test.timeout", "4s")
	c.Env = append(os.Environ(), "WAIT_IN_VAIN=1")
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "waited in vain: pigs fly") || strings.Contains(string(out), "panic") {
		t.Errorf("%v:\n%s", err, out)
	}
}
