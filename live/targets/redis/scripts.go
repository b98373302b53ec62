//go:build network

package redis

import (
	"embed"
	"fmt"
	"os"
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
	for _, s := range shipped {
		if s.name == nameOrFile {
			text, err := files.ReadFile("scripts/" + s.name + ".lua")
			return script{string(text), []any{"{limit}", "{window_us}", "{burst}", "{cost}"}, s.reply}, err
		}
	}
	text, err := os.ReadFile(nameOrFile)
	if err != nil {
		return script{}, fmt.Errorf("script: want %s or a file: %w", scriptNames(), err)
	}
	return script{string(text), nil, []any{"verdict"}}, nil
}
