//go:build network && unix

package main

import (
	"bytes"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/internal/testing/wait"
)

// TestDistributedKills runs sweeps on workers, and kills workers, the coordinator and the
// server with SIGKILL at random instants, and stops workers with SIGSTOP for longer than a
// job may be silent. Each sweep must give the document of one machine, byte for byte.
// DISTRIBUTED_KILLS sets the number of kills, for each kind of server half of them.
func TestDistributedKills(t *testing.T) {
	kills := 10
	if n, err := strconv.Atoi(os.Getenv("DISTRIBUTED_KILLS")); err == nil {
		kills = n
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv("DISTRIBUTED_SEED"), 10, 64); err == nil {
		seed = n
	}
	t.Logf("DISTRIBUTED_SEED=%d", seed)
	for _, kind := range []string{"server", "embedded"} {
		t.Run(kind, func(t *testing.T) {
			k := &killing{fleet: newFleet(t), rand: rand.New(rand.NewPCG(seed, 0)), left: (kills + 1) / 2, slow: kills >= 100}
			if kind == "server" {
				k.server = k.fleet.server()
				k.on = k.server.url()
			} else {
				_, k.port, _ = net.SplitHostPort(foreground.FreePort(t))
				k.on = "nats://127.0.0.1:" + k.port
			}
			for range 3 {
				k.workers = append(k.workers, k.worker())
			}
			sweeps := 0
			for ; k.left > 0; sweeps++ {
				k.sweep(sweeps)
			}
			t.Logf("%d sweeps; killed %d workers, %d coordinators, %d servers; stopped %d workers", sweeps, k.killed[0], k.killed[1], k.killed[2], k.hung)
		})
	}
}

// killing is a fleet whose processes are killed.
type killing struct {
	*fleet
	rand    *rand.Rand
	left    int // kills
	slow    bool
	on      string
	port    string  // of the embedded server
	server  *server // nil if it is embedded
	workers []*process
	killed  [3]int // workers, coordinators, servers
	hung    int
}

func (k *killing) worker() *process {
	return k.start("worker", "--on", k.on, "--workers", "1")
}

// sweep runs a sweep while there are kills left, and then to its end.
func (k *killing) sweep(number int) {
	k.Helper()
	cells, most := 16, 4.0
	if k.slow && number == 0 {
		cells, most = 12, 50 // up to 5 s
	}
	k.write("s.yaml", grid(number+1, cells, most))
	args := []string{"sweep", "s.yaml", "--no-plots", "-q", "--format", "csv"}
	if p := k.start(append(args, "--no-cache", "-o", "want.json")...); k.end(p) != 0 {
		k.Fatal(p.errs)
	}
	args = append(args, "-o", "got.json", "--silence", "1s", "--on", "embedded:"+k.port)
	if k.server != nil {
		args[len(args)-1] = k.on
	}
	if number%2 == 0 {
		args = append(args, "--no-cache") // only the server knows what is done
	} else {
		args = append(args, "--cache", "cache"+strconv.Itoa(number))
	}
	os.Remove(filepath.Join(k.dir, "got.json"))
	coordinator := k.start(args...)
	for stuck := wait.End(k.T); !coordinator.over(); {
		select {
		case <-coordinator.ended:
			continue
		case <-time.After(time.Duration(30+k.rand.IntN(500)) * time.Millisecond):
		case <-stuck:
			coordinator.kill()
			k.Fatalf("the sweep has not ended; the coordinator says\n%s\nworkers say\n%s\n%s\n%s", coordinator.errs, k.workers[0].errs, k.workers[1].errs, k.workers[2].errs)
		}
		if k.left == 0 {
			continue
		}
		i := k.rand.IntN(len(k.workers))
		switch what := k.rand.IntN(10); {
		case what == 0: // hangs
			k.workers[i].stopped(time.Duration(1500+k.rand.IntN(2000)) * time.Millisecond)
			k.hung++
		case what < 5:
			k.workers[i].kill()
			k.workers[i] = k.worker()
			k.killed[0]++
			k.left--
		case what < 8 || k.server == nil:
			if coordinator.over() {
				continue
			}
			coordinator.kill()
			time.Sleep(time.Duration(k.rand.IntN(300)) * time.Millisecond)
			coordinator = k.start(args...)
			k.killed[1]++
			k.left--
			if k.server == nil {
				k.killed[2]++
			}
		default:
			k.server.process.kill()
			time.Sleep(time.Duration(k.rand.IntN(500)) * time.Millisecond)
			k.server.start()
			k.killed[2]++
			k.left--
		}
	}
	if code := k.end(coordinator); code != 0 {
		k.Fatalf("sweep %d: exit code %d\n%s", number, code, coordinator.errs)
	}
	if got, want := k.read("got.json"), k.read("want.json"); !bytes.Equal(got, want) {
		k.Fatalf("sweep %d: the document has %d bytes, and differs from the %d of one machine", number, len(got), len(want))
	}
	for _, w := range k.workers {
		if w.over() || strings.Contains(w.errs.String(), "panic") {
			k.Fatalf("a worker has ended:\n%s", w.errs)
		}
	}
}
