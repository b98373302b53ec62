package process

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestMain runs this test binary as a limiter if the environment asks for one, so
// that the tests need no other program.
func TestMain(m *testing.M) {
	if name := os.Getenv("TEST_LIMITER"); name != "" {
		limiters[name](bufio.NewReaderSize(os.Stdin, 64<<10), os.Stdout)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// limiters are the programs of the tests by name.
var limiters = map[string]func(in *bufio.Reader, out *os.File){
	"even":      func(in *bufio.Reader, out *os.File) { serve(in, out, evenHalf) },
	"admit all": admitAll,
	"counter":   serveCounter,
	"crash at start": func(*bufio.Reader, *os.File) {
		fmt.Fprintln(os.Stderr, "no module named redis")
		os.Exit(3)
	},
	"crash at 5": func(in *bufio.Reader, out *os.File) {
		serve(in, out, func(r request) string {
			if r.I == 5 {
				panic("division by zero")
			}
			return evenHalf(r)
		})
	},
	"exit 0 at 5": at5(func(*os.File) string { os.Exit(0); return "" }),
	"junk at 5":   at5(func(*os.File) string { return "debug: level 3\n" }),
	"skips 5":     at5(func(*os.File) string { return `{"i":6,"admit":true}` + "\n" }),
	"twice 5":     at5(func(*os.File) string { return strings.Repeat(`{"i":5,"admit":true}`+"\n", 2) }),
	"no line end": at5(func(out *os.File) string {
		for {
			if _, err := out.WriteString(strings.Repeat("a", 1<<20)); err != nil {
				os.Exit(1)
			}
		}
	}),
	"closes stdout": at5(func(out *os.File) string { out.Close(); time.Sleep(time.Hour); return "" }),
	"too few": func(in *bufio.Reader, out *os.File) {
		serve(in, out, func(r request) string {
			if r.I%8 == 7 {
				return ""
			}
			return evenHalf(r)
		})
	},
	"too many": func(in *bufio.Reader, out *os.File) {
		serve(in, out, func(r request) string {
			if r.I == 7 {
				return evenHalf(r) + `{"i":8,"admit":true}` + "\n"
			}
			return evenHalf(r)
		})
	},
	"silent": func(in *bufio.Reader, _ *os.File) { io.Copy(io.Discard, in) },
	"deaf":   func(*bufio.Reader, *os.File) { time.Sleep(time.Hour) },
	"closes stdin": func(*bufio.Reader, *os.File) {
		os.Stdin.Close()
		time.Sleep(time.Hour)
	},
	// It reads three requests, then answers them backwards.
	"backwards": func(in *bufio.Reader, out *os.File) {
		var held []string
		serve(in, out, func(r request) string {
			if held = append(held, evenHalf(r)); len(held) < 3 {
				return ""
			}
			now := held[2] + held[1] + held[0]
			held = nil
			return now
		})
	},
	"slow": func(in *bufio.Reader, out *os.File) {
		serve(in, out, func(r request) string {
			time.Sleep(20 * time.Millisecond)
			return evenHalf(r)
		})
	},
	"stderr flood": func(in *bufio.Reader, out *os.File) {
		serve(in, out, func(r request) string {
			for n := range 1000 {
				fmt.Fprintf(os.Stderr, "\x1b[31mline %d of request %d\n", n, r.I)
			}
			if r.I == 5 {
				os.Exit(1)
			}
			return evenHalf(r)
		})
	},
	"says more at the end": func(in *bufio.Reader, out *os.File) {
		serve(in, out, evenHalf)
		fmt.Fprintln(out, "8 requests")
	},
	"fails at the end": func(in *bufio.Reader, out *os.File) {
		serve(in, out, evenHalf)
		os.Exit(7)
	},
	"stays": func(in *bufio.Reader, out *os.File) {
		serve(in, out, evenHalf)
		time.Sleep(time.Hour)
	},
	// It waits for a process of its own, which holds its streams.
	"wrapper": func(_ *bufio.Reader, out *os.File) {
		inner := exec.Command(os.Args[0])
		inner.Env = append(os.Environ(), "TEST_LIMITER=deaf")
		inner.Stdin, inner.Stdout, inner.Stderr = os.Stdin, out, os.Stderr
		inner.Run()
	},
	// It succeeds if KillAll ends the process that it has started.
	"kills all": func(*bufio.Reader, *os.File) {
		p, err := Start(context.Background(), command("deaf"), policy)
		if err != nil {
			panic(err)
		}
		KillAll()
		<-p.exited
		if _, err := Start(context.Background(), command("deaf"), policy); runs(p) || err == nil {
			panic("a process runs after KillAll")
		}
	},
	"reads keys": func(in *bufio.Reader, out *os.File) {
		serve(in, out, func(r request) string { return answer(r.I, r.Key == keys[r.I], 0) })
	},
	// It writes what it knows of the first line as the wait of each request.
	"first line": func(in *bufio.Reader, out *os.File) {
		line, _ := in.ReadString('\n')
		ok := line == `{"policy":{"limit":100,"window_ns":1000000000,"burst":20},"client":2,"clients":3,"seed":18446744073709551615}`+"\n"
		serve(bufio.NewReader(io.MultiReader(strings.NewReader("{}\n"), in)), out, func(r request) string { return answer(r.I, ok, 0) })
	},
}

type request struct {
	I    int64  `json:"i"`
	AtNs int64  `json:"at_ns"`
	Key  string `json:"key"`
	Cost int64  `json:"cost"`
}

func answer(i int64, admit bool, waitNs int64) string {
	if waitNs > 0 {
		return fmt.Sprintf("{\"i\":%d,\"admit\":%v,\"wait_ns\":%d}\n", i, admit, waitNs)
	}
	return fmt.Sprintf("{\"i\":%d,\"admit\":%v}\n", i, admit)
}

// evenHalf admits requests at even times, and lets each wait for half its time.
func evenHalf(r request) string {
	if r.AtNs%2 == 0 {
		return answer(r.I, true, r.AtNs/2)
	}
	return answer(r.I, false, 0)
}

// at5 returns a limiter that answers request 5 in another way.
func at5(other func(out *os.File) string) func(*bufio.Reader, *os.File) {
	return func(in *bufio.Reader, out *os.File) {
		serve(in, out, func(r request) string {
			if r.I == 5 {
				return other(out)
			}
			return evenHalf(r)
		})
	}
}

// serve answers each line after the first and flushes each answer.
func serve(in *bufio.Reader, out *os.File, answer func(request) string) {
	in.ReadString('\n')
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			panic(err)
		}
		out.WriteString(answer(r))
	}
}

// admitAll answers as fast as it can and flushes once per read.
func admitAll(in *bufio.Reader, out *os.File) {
	in.ReadSlice('\n')
	w := bufio.NewWriterSize(out, 64<<10)
	for {
		line, err := in.ReadSlice('\n')
		if err != nil {
			return
		}
		w.WriteString(`{"i":`)
		w.Write(line[len(`{"i":`):bytes.IndexByte(line, ',')])
		w.WriteString(",\"admit\":true}\n")
		if in.Buffered() == 0 {
			w.Flush()
		}
	}
}

// keys are strings that JSON must escape, or need not.
var keys = []string{"", "a", "a b", `a"b`, `a\`, `\u0041`, "a\nb\r\t\x00\x1f\x7f", "ü", "\u2028", "日本", "🙂", "</script>", "{\"i\":0}", strings.Repeat("k", 100_000), "\uFFFD", strconv.Quote("ü\n")}
