//go:build network && unix

package measured

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	client "github.com/gomodule/redigo/redis"

	"github.com/limitgauge/limitgauge/internal/testing/redistest"
)

// shownRedis is the address of Redis on the page.
const shownRedis = "127.0.0.1:6379"

// script returns a measurement of a script that ships with the program.
func script(scenario, name, figure string) measurement {
	return measurement{scenario: scenario, target: "redis", address: []string{shownRedis}, options: []string{"script=" + name}, figure: figure}
}

// byClock has the program read from the server when its windows begin.
func byClock(m measurement) measurement {
	m.flags = append(m.flags, "--clock")
	return m
}

var redisScripts = []measurement{
	script("fixed window at its boundary", "fixed-window", "worst_sliding_pct").over(),
	byClock(script("fixed window", "fixed-window", "over_limit_pct")).keeps(),
	script("first-hit window", "first-hit-window", "worst_sliding_pct").over(),
	script("sliding log", "sliding-log", "worst_sliding_pct").keeps(),
	script("token bucket", "token-bucket", "over_limit_pct").keeps(),
	script("gcra", "gcra", "over_limit_pct").keeps(),
}

func TestRedis(t *testing.T) {
	t.Parallel()
	starting(t)
	server := redistest.Start(t)
	for _, m := range redisScripts {
		t.Run(m.scenario, func(t *testing.T) {
			t.Parallel()
			m.run(t, nil, server.Address)
		})
	}
}

var redisRace = measurement{
	scenario: "race", target: "http", address: []string{"http://127.0.0.1:8080" + newKey}, figure: "over_limit_pct",
}.over()

// racePause is the time between the answer to GET and SET.
const racePause = 5 * time.Millisecond

// TestRedisRace measures a gateway that decides by GET, a comparison and SET, with the
// number of the window in the key's name.
func TestRedisRace(t *testing.T) {
	t.Parallel()
	starting(t)
	server := redistest.Start(t)
	pool := &client.Pool{MaxIdle: 100, Dial: func() (client.Conn, error) { return client.Dial("tcp", server.Address) }}
	t.Cleanup(func() { pool.Close() })
	m := redisRace
	m.run(t, nil, serve(t, func(w http.ResponseWriter, r *http.Request) {
		c := pool.Get()
		defer c.Close()
		key := r.URL.Query().Get("key") + strconv.FormatInt(time.Now().Unix(), 10)
		count, err := client.Int(c.Do("GET", key))
		if err != nil && err != client.ErrNil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if count >= 20 {
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		time.Sleep(racePause)
		if _, err := c.Do("SET", key, count+1); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
		}
	}))
}

// newKey is the end of a URL with a key that no other run has.
const newKey = "/?key={run}-{key}"

// serve starts an HTTP server and returns its URL as a template.
func serve(t *testing.T, decide http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(decide)
	t.Cleanup(s.Close)
	return s.URL + newKey
}
