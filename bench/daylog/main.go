// Daylog writes an access log of any size, the same one every time. The log is
// one day of a busy invented site. Use it to measure how long a replay takes
// and how much memory it needs. A few of its addresses send many requests and
// most send few. All addresses are private.
//
//	go run ./daylog -size 1GB > day.log
//	go run ./daylog -size 100MB -format json -late 2s > day.jsonl
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"math"
	"math/bits"
	"math/rand/v2"
	"net/netip"
	"os"
	"strconv"
	"strings"
	"time"
)

func main() {
	size := flag.String("size", "100MB", "how much to write: bytes, or with kB, MB or GB")
	format := flag.String("format", "combined", "combined, json or csv")
	rate := flag.Int("rate", 1000, "requests a second, on average")
	addrs := flag.Int("addresses", 100_000, "how many addresses ask, up to 16 million")
	late := flag.Duration("late", 0, "how long at most a line is written after its request came")
	flag.Parse()
	if err := run(*size, *format, *rate, *addrs, *late); err != nil {
		fmt.Fprintln(os.Stderr, "daylog:", err)
		os.Exit(1)
	}
}

func run(size, format string, rate, addrs int, late time.Duration) error {
	bytes, err := parseSize(size)
	if err != nil {
		return err
	}
	if rate < 1 || addrs < 1 || addrs > 1<<24 || late < 0 {
		return fmt.Errorf("want at least one request a second, 1 to %d addresses and no negative delay", 1<<24)
	}
	line, ok := map[string]func([]byte, *visit) []byte{"combined": combined, "json": jsonLine, "csv": csvLine}[format]
	if !ok {
		return fmt.Errorf("unknown format %q", format)
	}
	out := bufio.NewWriterSize(os.Stdout, 1<<20)
	if err := write(out, bytes, format, line, newSite(rate, addrs, late)); err != nil {
		return err
	}
	return out.Flush()
}

// write writes whole lines and stops before the given number of bytes is
// exceeded.
func write(out io.Writer, bytes int64, format string, line func([]byte, *visit) []byte, s *site) error {
	var buf []byte
	if format == "csv" {
		buf = append(buf, "time,remote_addr,method,path,status,bytes\n"...)
	}
	for {
		if bytes -= int64(len(buf)); bytes < 0 {
			return nil
		}
		if _, err := out.Write(buf); err != nil {
			return err
		}
		buf = line(buf[:0], s.next())
	}
}

// visit is one line of the log.
type visit struct {
	at     time.Time
	addr   netip.Addr
	path   string
	agent  string
	status int
	bytes  int
}

// site draws one visit after another.
type site struct {
	draw  *rand.Rand
	now   time.Time
	gap   int64 // ns between two requests, on average
	addrs int
	late  time.Duration
	paths []string
	visit visit
}

var agents = []string{
	"Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
	"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
	"Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
	"ExampleBot/1.0 (+https://bot.example/about)",
}

func newSite(rate, addrs int, late time.Duration) *site {
	s := &site{
		draw: rand.New(rand.NewPCG(2026, 3)), now: time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC),
		gap: 1e9 / int64(rate), addrs: addrs, late: late,
	}
	for i := range 500 {
		s.paths = append(s.paths, fmt.Sprintf("/products/%d?page=%d", i, i%7))
	}
	return s
}

func (s *site) next() *visit {
	s.now = s.now.Add(time.Duration(s.draw.Int64N(2*s.gap + 1)))
	v := &s.visit
	v.at = s.now
	if s.late > 0 {
		v.at = v.at.Add(-time.Duration(s.draw.Int64N(int64(s.late))))
	}
	// Address i has a probability of about 1/i: each power of two has the same
	// share.
	power := 1 << s.draw.IntN(bits.Len(uint(s.addrs)))
	i := uint32(min(power+s.draw.IntN(power), s.addrs))
	i = (i * 0x9E3779B1) & (1<<24 - 1) // addresses of similar rank get very different numbers
	v.addr = netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)})
	v.path = s.paths[s.draw.IntN(len(s.paths))]
	v.agent = agents[s.draw.IntN(len(agents))]
	v.status = 200
	if s.draw.IntN(20) == 0 {
		v.status = 404
	}
	v.bytes = 200 + s.draw.IntN(20_000)
	return v
}

func combined(b []byte, v *visit) []byte {
	return fmt.Appendf(b, "%s - - [%s] \"GET %s HTTP/1.1\" %d %d \"-\" \"%s\"\n",
		v.addr, v.at.Format("02/Jan/2006:15:04:05 -0700"), v.path, v.status, v.bytes, v.agent)
}

const isoTime = "2006-01-02T15:04:05.000Z07:00"

func jsonLine(b []byte, v *visit) []byte {
	return fmt.Appendf(b, `{"time":"%s","remote_addr":"%s","method":"GET","path":"%s","status":%d,"bytes":%d,"user_agent":"%s"}`+"\n",
		v.at.Format(isoTime), v.addr, v.path, v.status, v.bytes, v.agent)
}

func csvLine(b []byte, v *visit) []byte {
	return fmt.Appendf(b, "%s,%s,GET,%s,%d,%d\n", v.at.Format(isoTime), v.addr, v.path, v.status, v.bytes)
}

// parseSize parses a size in bytes: 1000000, 500kB, 100MB or 2GB.
func parseSize(text string) (int64, error) {
	unit := int64(1)
	for suffix, bytes := range map[string]int64{"kB": 1e3, "MB": 1e6, "GB": 1e9} {
		if number, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = number, bytes
			break
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt64/unit {
		return 0, fmt.Errorf("size: want a number above 0, or one with kB, MB or GB")
	}
	return n * unit, nil
}
