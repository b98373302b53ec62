//go:build ignore

// Generate writes access.log, the small recorded log that scenarios.yaml
// replays. It covers two hours of an invented site in combined log format. Its
// addresses are from the ranges reserved for documentation (RFC 5737, RFC
// 3849).
//
//	go run generate.go > access.log
package main

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"sort"
	"time"
)

// visit is one line of the log.
type visit struct {
	at    time.Duration
	addr  string
	path  string
	agent string
}

func main() {
	draw := rand.New(rand.NewPCG(1995, 7))
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	const span = 2 * time.Hour

	var visits []visit
	// People load a page about every half minute, in sessions.
	for person := range 60 {
		addr := fmt.Sprintf("192.0.2.%d", person+1)
		at := time.Duration(draw.Float64() * float64(span))
		for range 5 + draw.IntN(25) {
			visits = append(visits, visit{at, addr, fmt.Sprintf("/products/%d", draw.IntN(200)), "Mozilla/5.0"})
			at += time.Duration(draw.ExpFloat64() * float64(25*time.Second))
		}
	}
	// A crawler reads the site at a steady rate just above the limit.
	for i := range 400 {
		at := 30*time.Minute + time.Duration(i)*1800*time.Millisecond
		visits = append(visits, visit{at, "198.51.100.7", fmt.Sprintf("/products/%d", i), "ExampleBot/1.0"})
	}
	// A client retries in bursts whenever it fails.
	for burst := range 20 {
		at := time.Duration(burst)*6*time.Minute + time.Duration(draw.Float64()*float64(time.Minute))
		for range 40 {
			visits = append(visits, visit{at, "2001:db8::42", "/api/orders", "shop-sync/2.3"})
			at += time.Duration(draw.ExpFloat64() * float64(200*time.Millisecond))
		}
	}
	sort.SliceStable(visits, func(i, j int) bool { return visits[i].at < visits[j].at })

	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, v := range visits {
		if v.at >= span {
			continue
		}
		stamp := start.Add(v.at).Format("02/Jan/2006:15:04:05 -0700")
		fmt.Fprintf(out, "%s - - [%s] \"GET %s HTTP/1.1\" 200 %d \"-\" \"%s\"\n", v.addr, stamp, v.path, 500+draw.IntN(4000), v.agent)
	}
}
