package jsontext

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"
)

// The contents of a string are those that encoding/json gives.
func TestUnescapedText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`(a|é|\\n|\\"|\\\\|\\/|\\u00e9|\\ud83d|\\ude00|\\uD83D\\uDE00|\\b){0,12}`).Draw(t, "text")
		var want string
		if err := json.Unmarshal([]byte(`"`+text+`"`), &want); err != nil {
			t.Fatal(err)
		}
		if got := string(AppendUnescaped(nil, []byte(text))); got != want {
			t.Fatalf("%s: %q, want %q", text, got, want)
		}
	})
}
