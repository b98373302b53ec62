package step

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// TestMembersAreDocumented checks that the page of replies lists every member of
// the replies to all sessions, and that a member of the state, or of a message, is
// listed for its counter or enforcement and occurs in no other.
func TestMembersAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/step.md")
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`([a-z_-]+)`")
	names := func(cell string) (list []string) {
		for _, m := range name.FindAllStringSubmatch(cell, -1) {
			list = append(list, m[1])
		}
		return list
	}
	results, states := map[string]bool{}, map[string]bool{} // members, and "counter member"
	for _, line := range strings.Split(string(page), "\n") {
		cells := strings.Split(line, " | ")
		switch {
		case len(cells) == 5 && strings.HasPrefix(line, "| `"):
			for _, n := range names(cells[0]) {
				results[n] = true
			}
		case len(cells) == 4 && strings.HasPrefix(line, "| `"):
			for _, c := range names(cells[0]) {
				for _, n := range names(cells[1]) {
					states[c+" "+n] = true
				}
			}
		}
	}
	seenResults, seenStates := map[string]bool{}, map[string]bool{}
	see := func(counter string, reply []byte) {
		var r map[string]json.RawMessage
		if json.Unmarshal(reply, &r) != nil {
			t.Fatalf("%s", reply)
		}
		for n := range r {
			seenResults[n] = true
		}
		nested := func(json.RawMessage) {}
		nested = func(value json.RawMessage) {
			var object map[string]json.RawMessage
			var list []json.RawMessage
			json.Unmarshal(value, &object)
			json.Unmarshal(value, &list)
			for n, v := range object {
				seenStates[counter+" "+n] = true
				nested(v)
			}
			for _, v := range list {
				nested(v)
			}
		}
		for _, v := range r {
			nested(v)
		}
	}
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ar.Files {
			if strings.HasSuffix(f.Name, ".out") {
				continue
			}
			lines := strings.Split(strings.TrimSuffix(string(f.Data), "\n"), "\n")
			s := open(t, lines[0])
			for _, line := range lines[1:] {
				if reply, err := s.Apply([]byte(line)); err == nil {
					see(s.counter, reply)
				}
			}
		}
	}
	for _, c := range Counters() {
		s := open(t, c+" 10/1000000000 10")
		for _, op := range s.ops {
			if reply, err := s.Apply([]byte(`{"at_ns": 5, "op": "` + op.name + `"}`)); err == nil {
				see(c, reply)
			}
		}
	}
	same := func(what string, listed, seen map[string]bool) {
		for n := range seen {
			enforcement, member, pair := strings.Cut(n, " ")
			if pair && slices.Contains(Enforcements(), enforcement) && (listed["fixed-window "+member] || listed["token-bucket "+member]) {
				continue // of its counter
			}
			if !listed[n] {
				t.Errorf("the page does not list %s %s", what, n)
			}
		}
		for n := range listed {
			if !seen[n] {
				t.Errorf("the page lists %s %s, which no reply has", what, n)
			}
		}
	}
	same("result", results, seenResults)
	same("state", states, seenStates)
}
