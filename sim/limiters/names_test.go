package limiters

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// allowedNames lists by file the strings that equal a limiter's name and are
// outside its folders, with the reason for each.
var allowedNames = []struct {
	file, why string
	names     []string
}{
	{"algorithms/clientthrottle", "values of the option backend", []string{"central", "remote"}},
	{"algorithms/counting/table.go", "who decided, in the decision log", []string{"local"}},
	{"algorithms/settlement", "values of the option settle", []string{"check-then-deduct"}},
	{"check/read/envoy_gateway.go", "members of policies", []string{"local"}},
	{"bench/engine.go", "a workload", []string{"central"}},
	{"live/targets/redis.go", "names of shipped scripts", []string{"fixed-window", "first-hit-window", "token-bucket", "gcra"}},
	{"logs/formats/keys.go", "parts of the names of fields", []string{"local", "remote"}},
	{"logs/times/zone.go", "a time zone that is refused", []string{"local"}},
	{"cmd/cli/replay.go", "the default of --reference", []string{"token-bucket"}},
	{"cmd/cli/replay_scenario.go", "what replay compares by default",
		[]string{"fixed-window", "sliding-window-log", "sliding-window-counter", "token-bucket", "local-divided", "batch-reported", "batch-debt",
			"check-then-deduct", "deduct-estimate", "reserve-quantile", "reserve-maximum"}},
	{"cmd/cli/live_limit.go", "values of a policy's reference, and the counters that decide like them", []string{"token-bucket", "fixed-window", "sliding-window-log"}},
	{"search/size/policies.go", "counters of limiters that have no bucket", []string{"fixed-window", "sliding-window-log", "haproxy-rate"}},
	{"search/size/reason.go", "what stamps do to a log of windows", []string{"sliding-window-log"}},
	{"search/size/least/algorithm.go", "counters that can be sized, and that of settings for nginx", []string{"token-bucket", "gcra", "fixed-window", "sliding-window-log", "nginx-limit-req"}},
	{"cmd/cli/attack_search.go", "the value of a policy's reference for which theory has bounds", []string{"token-bucket"}},
	{"sim/engine/policies.go", "a value of a policy's reference", []string{"fixed-window"}},
	{"live/trial/trial.go", "values of a policy's reference", []string{"token-bucket", "fixed-window"}},
	{"cmd/cli/sql.go", "the name of a command", []string{"sql"}},
	{"cmd/cli/describe/source_words.go", "a word of a publication", []string{"rover"}},
	{"sim/results/resultstest", "rows of the sample document", []string{"batch-debt", "fixed-window"}},
	{"sim/simtest/settle_case.go", "counters and ways of settlement that a case draws", []string{"fixed-window", "token-bucket", "check-then-deduct"}},
	{"sim/simtest/draw", "values of a policy's reference", []string{"token-bucket", "fixed-window"}},
	{"sim/simtest/draw/rollout.go", "algorithms in which requests wait", []string{"leaky-bucket", "rover", "rover-capped"}},
	{"sim/simtest/settle_case.go", "counters of its worlds", []string{"token-bucket", "fixed-window"}},
	{"scenarios/language.go", "values of a policy's reference", []string{"token-bucket", "fixed-window"}},
	{"sim/policies.go", "values of a policy's reference, and the counters they mean", []string{"token-bucket", "fixed-window", "sliding-window-log"}},
}

// folderOf returns the name of the folders of an enforcement.
func folderOf(enforcement string) string {
	return strings.ReplaceAll(strings.TrimSuffix(enforcement, "-limit"), "-", "") // concurrency alone is a field's name
}

// homesOf returns the folders in which each name may occur. A limiter and its
// presets may be named in the two folders with the limiter's name. A counter
// may be named in algorithms, where declarations state the counters that they
// work over.
func homesOf() map[string][]string {
	homes := map[string][]string{}
	add := func(name, folder string) {
		homes[name] = append(homes[name], "algorithms/"+folder, "sim/limiters/"+folder)
	}
	for _, e := range Enforcements() {
		add(e.Name, folderOf(e.Name))
	}
	for _, p := range Presets() {
		add(p.Name, folderOf(p.Enforcement))
	}
	for _, c := range Counters() {
		homes[c.Name] = append(homes[c.Name], "algorithms")
	}
	return homes
}

// straying calls report for each name in a file that is outside the name's
// folders.
func straying(path string, f *ast.File, homes map[string][]string, report func(name string, pos token.Pos)) {
	within := func(folder string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }
	ast.Inspect(f, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		name, _ := strconv.Unquote(literal.Value)
		if homes[name] != nil && !slices.ContainsFunc(homes[name], within) {
			report(name, literal.Pos())
		}
		return true
	})
}

// Everything that the program needs to know about a limiter or a counter is in
// its descriptor. No other code depends on its name.
func TestNamesStayAtHome(t *testing.T) {
	root, homes := filepath.Join("..", ".."), homesOf()
	unused := map[string]bool{}
	for _, a := range allowedNames {
		for _, name := range a.names {
			unused[a.file+" "+name] = true
		}
	}
	fset := token.NewFileSet()
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files++
		inside, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		inside = filepath.ToSlash(inside)
		straying(inside, f, homes, func(name string, pos token.Pos) {
			for _, a := range allowedNames {
				if strings.HasPrefix(inside, a.file) && slices.Contains(a.names, name) {
					delete(unused, a.file+" "+name)
					return
				}
			}
			t.Errorf("%s: %q is the name of a limiter, counter or preset: ask its descriptor instead", fset.Position(pos), name)
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 {
		t.Errorf("only %d files were read", files)
	}
	for entry := range unused {
		t.Errorf("%s is allowed but does not occur", entry)
	}
}

func TestStrayingNamesAreFound(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "", `package p; func f(a A) bool { return a.Enforcement == "gossip" || a.Counter == "gcra" }`, 0)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string][]string{
		"sim/memory.go":                     {"gossip", "gcra"},
		"sim/limiters/gossip/x.go":          {"gcra"},
		"algorithms/gossip/entry.go":        nil,
		"algorithms/counting/gcra.go":       {"gossip"},
		"sim/limiters/gossipers/gossipx.go": {"gossip", "gcra"},
	} {
		var got []string
		straying(path, f, homesOf(), func(name string, _ token.Pos) { got = append(got, name) })
		if !slices.Equal(got, want) {
			t.Errorf("%s: found %v, want %v", path, got, want)
		}
	}
}
