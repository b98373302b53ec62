//go:build network

package redis

import (
	"embed"
	"fmt"
	"os"

	"github.com/limitgauge/limitgauge/live/targets"
)

//go:embed scripts/*.lua
var files embed.FS

// script is a script in Lua, and for a shipped one its arguments and reply.
type script struct {
	text             string
	arguments, reply []any
}

// find returns a script by its name or from a file.
func find(nameOrFile string) (script, error) {
	for _, s := range targets.RedisScripts {
		if s.Name == nameOrFile {
			text, err := files.ReadFile("scripts/" + s.Name + ".lua")
			return script{string(text), []any{"{limit}", "{window_us}", "{burst}", "{cost}"}, s.Reply}, err
		}
	}
	text, err := os.ReadFile(nameOrFile)
	if err != nil {
		return script{}, fmt.Errorf("script: want %s or a file: %w", targets.RedisScriptNames(), err)
	}
	return script{string(text), nil, []any{"verdict"}}, nil
}
