package jsontext

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

func agree(t interface{ Fatalf(string, ...any) }, text []byte) {
	if got, want := Valid(text), json.Valid(text); got != want {
		t.Fatalf("%q: valid %t, want %t", text, got, want)
	}
}

// The validator agrees with the one of the standard library.
func FuzzValidJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-0.5e+7,true,false,null],"b\u00e9\n":{}}`, `"12345678\"`, " [ ] \n", "01", "-", "1.", "\"a\tb\"", "{,}", "[1,]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) { agree(t, text) })
}

// The texts are nearly JSON: one byte is changed, removed or inserted.
func TestValidJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var value *rapid.Generator[any]
		value = rapid.Custom(func(t *rapid.T) any {
			switch rapid.IntRange(0, 6).Draw(t, "kind") {
			case 0:
				return rapid.SliceOfN(value, 0, 3).Draw(t, "array")
			case 1:
				return rapid.MapOfN(rapid.String(), value, 0, 3).Draw(t, "object")
			case 2:
				return rapid.Float64().Draw(t, "number")
			case 3:
				return rapid.Int64().Draw(t, "whole number")
			case 4:
				return rapid.Bool().Draw(t, "bool")
			case 5:
				return nil
			}
			return rapid.String().Draw(t, "string")
		})
		text, err := json.Marshal(value.Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		agree(t, text)
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		c := rapid.SampledFrom([]byte("\"\\{}[]:,0-.eEu/ \n\t\x1f\x7f\x80\xffatn1")).Draw(t, "byte")
		agree(t, text[:at])
		agree(t, append(append(bytes.Clone(text[:at]), c), text[at:]...))
		text[at] = c
		agree(t, text)
	})
}

func TestDeepJSON(t *testing.T) {
	for _, depth := range []int{maxNesting, maxNesting + 1} {
		agree(t, []byte(strings.Repeat("[", depth)+strings.Repeat("]", depth)))
		agree(t, []byte(strings.Repeat(`{"":`, depth)+"1"+strings.Repeat("}", depth)))
	}
}
