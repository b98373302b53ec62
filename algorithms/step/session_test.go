package step

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/testing/golden"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/rogpeppe/go-internal/txtar"
)

// bind turns "name=value" words into bound fields, by the entry's kinds, as far
// as the sessions here need them.
func bind(t testing.TB, counter string, words []string) catalog.Values {
	t.Helper()
	v := catalog.Values{}
	e := Entry(counter)
	for _, w := range words {
		name, text, _ := strings.Cut(w, "=")
		found := false
		for _, f := range e.Fields {
			if f.Name != name {
				continue
			}
			found = true
			var n int64
			_, err := fmt.Sscan(text, &n)
			switch {
			case f.Kind == catalog.Bool:
				v[name] = catalog.Value{V: text == "true", Given: true}
			case f.Kind == catalog.Int, f.Kind == catalog.Duration, f.Kind == catalog.IntOrEnum && err == nil:
				v[name] = catalog.Value{V: n, Given: true}
			default:
				v[name] = catalog.Value{V: text, Given: true}
			}
		}
		if !found {
			t.Fatalf("%s has no field %q", counter, name)
		}
	}
	return v
}

// open starts the session that a line such as "rover 100/1000000000 50
// capped=true" describes: counter, count/window ns, burst, options. Instead of a
// counter the line may have an enforcement and its counter:
// "batch-reported/fixed-window".
func open(t testing.TB, line string) *Session {
	t.Helper()
	words := strings.Fields(line)
	var limit counting.Limit
	if _, err := fmt.Sscanf(words[1]+" "+words[2], "%d/%d %d", &limit.Count, &limit.Window, &limit.Burst); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	if enforcement, counter, ok := strings.Cut(words[0], "/"); ok {
		texts := map[string]string{}
		for _, w := range words[3:] {
			name, text, _ := strings.Cut(w, "=")
			texts[name] = strings.ReplaceAll(text, ":", ": ") // no spaces in a word
		}
		options, err := scenarios.Options(Fields(enforcement, counter, false), texts)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		s, err := NewPair(enforcement, limit, options)
		if err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		return s
	}
	s, err := New(words[0], limit, bind(t, words[0], words[3:]))
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return s
}

// pairSessions has sessions of the enforcement that can be stepped.
var pairSessions = []string{
	"batch-reported/fixed-window 7/3000000000 10 clients=2 servers=3 count_in=sent reject_til_as=duration group_by_owner=false",
	"batch-reported/token-bucket 7/3000000000 10 clients=2 debt=true rejection_rate=true sample=10% local_limit={share:{share:150%}} unknown=pessimistic lost_reports=resent",
}

// Each archive holds sessions: a file NAME with what open reads and the calls,
// and a file NAME.out with the replies, "error: ..." where there is one.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions: %v", err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		out := &txtar.Archive{Comment: ar.Comment}
		for _, f := range ar.Files {
			if strings.HasSuffix(f.Name, ".out") {
				continue
			}
			var got strings.Builder
			lines := strings.Split(strings.TrimSuffix(string(f.Data), "\n"), "\n")
			s := open(t, lines[0])
			for _, line := range lines[1:] {
				reply, err := s.Apply([]byte(line))
				if err != nil {
					fmt.Fprintf(&got, "error: %v\n", err)
					continue
				}
				if !json.Valid(reply) {
					t.Errorf("%s: reply to %s is not JSON: %s", f.Name, line, reply)
				}
				fmt.Fprintf(&got, "%s\n", reply)
			}
			out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".out", Data: []byte(got.String())})
		}
		golden.Compare(t, file, txtar.Format(out))
	}
}

// Every listed counter can be stepped and answers its calls.
func TestEveryCounterSteps(t *testing.T) {
	for _, name := range Counters() {
		if Entry(name) == nil {
			t.Errorf("no entry for %s", name)
		}
		s, err := New(name, counting.Limit{Count: 10, Window: 1e9, Burst: 10}, nil)
		if err != nil {
			t.Fatal(err)
		}
		reply, err := s.Apply([]byte(`{"at_ns": 0, "op": "take"}`))
		if err != nil || !strings.HasPrefix(string(reply), `{"at_ns":0,"op":"take","cost":1,"verdict":"admitted"`) {
			t.Errorf("%s: %s, %v", name, reply, err)
		}
		if _, err := s.Apply([]byte(`{"at_ns": 0, "op": "fly"}`)); err == nil || !strings.Contains(err.Error(), name+` has no op "fly": one of `) {
			t.Errorf("%s: unknown op: %v", name, err)
		}
	}
	if _, err := New("rovr", counting.Limit{}, nil); err == nil || !strings.Contains(err.Error(), "fixed-window") {
		t.Errorf("unknown counter: %v", err)
	}
	if Entry("rovr") != nil {
		t.Error("an entry for an unknown counter")
	}
	if s, err := New("rover", counting.Limit{Count: 1, Window: 1e9}, nil); err == nil || s != nil {
		t.Errorf("rover with no burst: session %v, error %v", s, err)
	}
}

// A session does not begin with options that its enforcement refuses.
func TestPairsRefuse(t *testing.T) {
	options, err := scenarios.Options(Fields("batch-reported", "token-bucket", false), map[string]string{"clients": "2", "debt": "false"})
	if err != nil {
		t.Fatal(err)
	}
	for enforcement, want := range map[string]string{"batch-reported": "needs debt: true", "flying": `enforcement "flying" cannot be stepped`} {
		s, err := NewPair(enforcement, counting.Limit{Count: 7, Window: 3e9, Burst: 10}, options)
		if s != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v, want %q", enforcement, s, err, want)
		}
	}
}

func TestKeysAreBounded(t *testing.T) {
	rows := make([]string, maxKeys+1)
	for i := range rows {
		rows[i] = fmt.Sprintf(`{"key": "k%d"}`, i)
	}
	for _, n := range []int{maxKeys, maxKeys + 1} {
		reply, err := open(t, pairSessions[0]).Apply(fmt.Appendf(nil, `{"at_ns": 1, "op": "receive", "report": {"rows": [%s]}}`, strings.Join(rows[:n], ", ")))
		if n == maxKeys && err != nil || n > maxKeys && (err == nil || !strings.Contains(err.Error(), "rows[1024]: key \"k1024\" is one too many")) {
			t.Errorf("a report of %d keys: %.100s, %v", n, reply, err)
		}
	}
	s := open(t, "token-bucket 10/1000000000 10")
	for i := range maxKeys {
		if _, err := s.Apply(fmt.Appendf(nil, `{"at_ns": 0, "op": "take", "key": "k%d"}`, i)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Apply([]byte(`{"at_ns": 0, "op": "take", "key": "more"}`)); err == nil || !strings.Contains(err.Error(), "at most 1024 keys") {
		t.Errorf("key 1025: %v", err)
	}
	if _, err := s.Apply([]byte(`{"at_ns": 0, "op": "take", "key": "k1023"}`)); err != nil {
		t.Errorf("a known key: %v", err)
	}
}

// No line makes a session panic, and every reply is one line of JSON.
func FuzzApply(f *testing.F) {
	for _, seed := range []string{
		`{"at_ns": 0, "op": "take", "cost": 1, "key": "a"}`,
		`{"at_ns": 9223372036854775807, "op": "take", "cost": 9223372036854775807}`,
		`{"at_ns": 5, "op": "grab", "n": 18446744073709551615}`,
		`{"at_ns": 1000000000, "op": "replenish"}`,
		`{"at_ns": 0, "op": "preset", "tail": 18446744073709551615, "stamp_ns": -9223372036854775808}`,
		`{"at_ns": 0, "op": "update_rate", "rate": 0}`,
		`{"at_ns": 7, "op": "duration_for", "n": 3}`,
		`{"at_ns": 7, "op": "retry_at", "cost": 30}`,
		`{"at_ns": 7, "op": "level"}` + "\n" + `{"at_ns": 0, "op": "release", "n": 1}`,
		`{"at_ns": 9, "op": "call", "start_ns": 3, "refill": 4, "window_s": 18446744073709551615}`,
		`{"at_ns": 9, "op": "preset", "level_units": -1}` + "\n" + `{"at_ns": 7, "op": "call"}`,
		`{"at_ns": 1, "op": "decide"}` + "\n" + `{"at_ns": 1, "op": "flush"}` + "\n" + `{"at_ns": 2, "op": "receive", "report": 1}` + "\n" + `{"at_ns": 2, "op": "answer", "report": 1}` + "\n" + `{"at_ns": 2, "op": "apply", "answer": 1}`,
		`{"at_ns": 1, "op": "answer", "report": {"sent_ns": -4611686018427387904, "rows": [{"key": "a", "outstanding_hits": 1099511627776, "rejected_hits": 1099511627776}]}}`,
		`{"at_ns": 1, "op": "apply", "answer": {"rows": [{"key": "a", "reject_til_ns": 4611686018427387904}, {"key": "a", "rejection_rate": 0.5}]}}` + "\n" + `{"at_ns": 2, "op": "give_up", "report": {"rows": [{"key": "a"}]}}`,
		`{"at_ns": 1, "op": "deficiency"`, `[]`, `{"at_ns": {}}`, "",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, script string) {
		var sessions []*Session
		for _, name := range Counters() {
			sessions = append(sessions, open(t, name+" 7/3000000000 10"))
		}
		sessions = append(sessions, open(t, "sql-token-bucket 7/3000000000 10 rounding=kept refusal_writes=false"))
		sessions = append(sessions, open(t, "rover 7/3000000000 10 capped=true stamp=now"))
		for _, pair := range pairSessions {
			sessions = append(sessions, open(t, pair))
		}
		for _, line := range strings.Split(script, "\n") {
			for _, s := range sessions {
				reply, err := s.Apply([]byte(line))
				if err == nil && (!json.Valid(reply) || strings.Contains(string(reply), "\n")) {
					t.Fatalf("%s: reply %q to %q", s.counter, reply, line)
				}
			}
		}
	})
}
