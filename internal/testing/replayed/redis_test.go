//go:build linux

package replayed

import (
	"bufio"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
)

// racer sends requests under a limit to a Redis server, each with GET, a comparison, a
// pause and a write. The pause is long, so that the machine's own stalls count little.
type racer struct {
	write string        // SET or INCR
	limit int           // requests a second
	rate  float64       // requests a second, at random instants
	pause time.Duration // between the answer to GET and the write
}

const racedSeconds = 4

// raced is one request of a racer.
type raced struct {
	read, written time.Time // the middles of its calls
	admitted      bool
}

// TestServerRedis checks what GET with SET or INCR admits on a real Redis against a
// simulation of the same arrivals, with the mean race window that the clients measure:
// from the middle of GET to the middle of the write. Other work on the machine makes race
// windows unequal, so it has several attempts. It is not parallel to the tests of
// other servers, whose counts of a burst depend on milliseconds.
func TestServerRedis(t *testing.T) {
	listen := foreground.FreePort(t)
	_, port, _ := net.SplitHostPort(listen)
	stop := serve(t, syscall.SIGTERM, []string{listen}, filepath.Join(t.TempDir(), "output"), "redis-server",
		"--bind", "127.0.0.1", "--port", port, "--save", "", "--appendonly", "no", "--dir", t.TempDir())
	defer stop()
	for _, r := range []racer{{"SET", 20, 300, 20 * time.Millisecond}, {"INCR", 100, 1500, 20 * time.Millisecond}} {
		t.Run(r.write, func(t *testing.T) {
			attempted(t, func() (string, bool) { return r.compare(t, listen) })
		})
	}
}

// compare races once and returns what differs, or "", and whether the machine was late: if
// race windows are twice as long as the pause, their mean does not say enough of them.
func (r racer) compare(t *testing.T, listen string) (wrong string, late bool) {
	all := r.race(t, listen)
	var log strings.Builder
	admitted, tau := int64(0), time.Duration(0)
	for _, one := range all {
		status := 429
		if one.admitted {
			status = 200
			admitted++
			window := one.written.Sub(one.read)
			tau += window
			late = late || window > 2*r.pause
		}
		fmt.Fprintf(&log, "{\"time\":%q,\"client\":\"all\",\"status\":%d}\n", one.read.UTC().Format(time.RFC3339Nano), status)
	}
	tau /= time.Duration(max(admitted, 1))
	preset := map[string]string{"SET": "read-then-set", "INCR": "read-then-increment"}[r.write]
	rows := judge(t, foreground.Write(t, t.TempDir(), "raced.json", log.String()), judged{
		policy:    fmt.Sprintf("limit: %d/s", r.limit),
		simulated: fmt.Sprintf("preset: %s, client_time: %dns, timeout: 0s", preset, tau.Nanoseconds()),
	})
	formula := racedSeconds * (float64(r.limit) + r.rate*tau.Seconds())
	if r.write == "SET" {
		formula = racedSeconds * float64(r.limit) * (1 + r.rate*tau.Seconds())
	}
	simulated := rows["simulated"]["all"].admitted
	t.Logf("race window %v: Redis admits %d, the simulation %d, the closed form %.0f", tau, admitted, simulated, formula)
	switch excess := float64(admitted) - float64(racedSeconds*r.limit); {
	case math.Abs(float64(simulated-admitted)) > 0.15*excess:
		return fmt.Sprintf("Redis admits %d, the simulation %d", admitted, simulated), late
	case math.Abs(formula-float64(admitted)) > 0.25*excess:
		return fmt.Sprintf("Redis admits %d, the closed form says %.0f", admitted, formula), late
	}
	return "", late
}

// race sends the requests of whole seconds, each from a connection of its own.
func (r racer) race(t *testing.T, server string) []raced {
	t.Helper()
	idle := make(chan *redisConn, 200)
	for range cap(idle) {
		idle <- dialRedis(t, server)
	}
	defer func() {
		for range cap(idle) {
			(<-idle).Close()
		}
	}()
	var wait sync.WaitGroup
	var all []raced
	var mutex sync.Mutex
	at := time.Now().Truncate(time.Second).Add(time.Second)
	for end := at.Add(racedSeconds*time.Second - 100*time.Millisecond); ; {
		at = at.Add(time.Duration(rand.ExpFloat64() / r.rate * 1e9))
		if at.After(end) {
			break
		}
		time.Sleep(time.Until(at))
		c := <-idle
		wait.Go(func() {
			one, err := r.ask(c)
			idle <- c
			mutex.Lock()
			defer mutex.Unlock()
			if err != nil {
				t.Error(err)
			}
			all = append(all, one)
		})
	}
	wait.Wait()
	return all
}

// ask sends one request. The number of the window is part of the key's name.
func (r racer) ask(c *redisConn) (one raced, err error) {
	sent := time.Now()
	key := fmt.Sprintf("%s:%d", r.write, sent.Unix())
	count, err := c.call("GET", key)
	got := time.Now()
	one.read = sent.Add(got.Sub(sent) / 2)
	if err != nil || count >= r.limit {
		return one, err
	}
	one.admitted = true
	time.Sleep(r.pause)
	sent = time.Now()
	if r.write == "SET" {
		_, err = c.call("SET", key, strconv.Itoa(count+1))
	} else {
		_, err = c.call("INCR", key)
	}
	one.written = sent.Add(time.Since(sent) / 2)
	return one, err
}

// redisConn is a connection to a Redis server.
type redisConn struct {
	net.Conn
	answers *bufio.Reader
}

func dialRedis(t *testing.T, server string) *redisConn {
	t.Helper()
	c, err := net.Dial("tcp", server)
	if err != nil {
		t.Fatal(err)
	}
	return &redisConn{c, bufio.NewReader(c)}
}

// call sends a command and returns its answer as a number: 0 for no value and for OK.
func (c *redisConn) call(words ...string) (int, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "*%d\r\n", len(words))
	for _, w := range words {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(w), w)
	}
	c.SetDeadline(time.Now().Add(time.Minute))
	if _, err := c.Write([]byte(b.String())); err != nil {
		return 0, err
	}
	line, err := c.answers.ReadString('\n')
	line = strings.TrimSpace(line)
	switch {
	case err != nil:
		return 0, err
	case line == "+OK" || line == "$-1":
		return 0, nil
	case line[0] == ':':
		return strconv.Atoi(line[1:])
	case line[0] == '$':
		value, err := c.answers.ReadString('\n')
		if err != nil {
			return 0, err
		}
		return strconv.Atoi(strings.TrimSpace(value))
	}
	return 0, fmt.Errorf("redis: %s", line)
}
