package targets

import (
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Redis declares the kind of limiters that are a script in a Redis server. Package
// redis opens them.
func Redis() catalog.Entry {
	return catalog.Entry{
		Name:    "redis",
		Summary: "a Lua script in a Redis server",
		Idea: "Each request runs `script` once with EVALSHA, on the connection that is free first. The verdict is the reply, or the element of an " +
			"array that `reply` calls verdict. The address is HOST:PORT, redis://HOST:PORT/DATABASE, rediss:// with TLS, or the path of a socket. " +
			"The password comes from the variable REDISCLI_AUTH or `password_file`.",
		Fields: []catalog.Field{
			{Name: "script", Kind: catalog.String, Required: true, Doc: "file, or one of the scripts that ship with the program: " + RedisScriptNames()},
			{Name: "keys", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String}, Doc: "templates of KEYS; limitgauge:{run}:{key} alone by default"},
			{Name: "arguments", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String}, Doc: "templates of ARGV; none by default; scripts that ship with the program have their own"},
			{Name: "reply", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.Enum, Enum: RedisFields()},
				Doc: "what the elements of an array mean, in their order; verdict alone by default; scripts that ship with the program have their own"},
			{Name: "rejected_if", Kind: catalog.String, Default: "= 0", Doc: "verdicts that reject a request: =, !=, <, <=, > or >= and a number, such as `> 100` for a script that returns a count"},
			{Name: "user", Kind: catalog.String, Doc: "name to sign in with"},
			{Name: "password_file", Kind: catalog.String, Doc: "file with the password"},
			{Name: "connections", Kind: catalog.Int, Unit: "connections", Default: "8", Min: "1", Max: "1000", Doc: "connections, each of which runs one script at a time; further requests wait for one"},
			{Name: "timeout", Kind: catalog.Duration, Default: "1s", Min: "1ms", Max: "1h", Doc: "time after which a request is given up; the server may still run its script"},
		},
	}
}

// RedisScript is a script that has a name. Reply names the fields of its reply. It takes
// limit, window in us, burst and cost as arguments.
type RedisScript struct {
	Name  string
	Reply []any
}

// RedisScripts are the shipped scripts.
var RedisScripts = []RedisScript{
	{"fixed-window", []any{"verdict", "remaining", "retry_after_us", "reset_us"}},
	{"first-hit-window", []any{"verdict", "remaining", "retry_after_ms", "reset_ms"}},
	{"sliding-log", []any{"verdict", "remaining", "retry_after_us", "reset_us"}},
	{"token-bucket", []any{"verdict", "remaining", "retry_after_us", "reset_us"}},
	{"gcra", []any{"verdict", "remaining", "retry_after_s", "reset_s"}},
}

// RedisScriptNames returns the names of the shipped scripts.
func RedisScriptNames() string {
	return strings.Join(lists.Map(RedisScripts, func(s RedisScript) string { return s.Name }), ", ")
}

// redisTimes are the fields of a reply that hold a time, without the unit.
var redisTimes = []string{"retry_after", "reset", "wait"}

// RedisFields returns the names that elements of a reply can have.
func RedisFields() []string {
	all := []string{"verdict", "remaining", "ignored"}
	for _, time := range redisTimes {
		for _, unit := range []string{"_s", "_ms", "_us"} {
			all = append(all, time+unit)
		}
	}
	return all
}
