package formats

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// standardAt finds a path as jsontext.At does, with encoding/json: of several members that
// have it the last one counts.
func standardAt(value json.RawMessage, path string) json.RawMessage {
	if path == "" {
		return value
	}
	var elements []json.RawMessage
	if json.Unmarshal(value, &elements) == nil && elements != nil {
		index, rest, _ := strings.Cut(strings.Trim(strings.ReplaceAll(path, "]", "."), ".["), ".")
		if i, err := strconv.Atoi(index); err == nil && i < len(elements) {
			return standardAt(elements[i], strings.TrimLeft(rest, "."))
		}
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(value, &members) != nil {
		return nil
	}
	var found json.RawMessage
	d := json.NewDecoder(bytes.NewReader(value))
	for d.Token(); d.More(); {
		key, _ := d.Token()
		var member json.RawMessage
		d.Decode(&member)
		rest, on := strings.CutPrefix(path, key.(string))
		if !on || rest != "" && rest[0] != '.' && rest[0] != '[' {
			continue
		}
		if at := standardAt(member, strings.TrimPrefix(rest, ".")); at != nil {
			found = at
		}
	}
	return found
}

// The texts of the fields are those that encoding/json gives, of an array its first
// string, and a record is
// malformed where json.Valid says so, it is no object, or a field is no text.
func TestFieldsAgreeWithStandard(t *testing.T) {
	paths := []string{"a", "b", "a.b", "a.a.b", "a[0]", "a[1].b", "b.0", "é"}
	key := rapid.SampledFrom([]string{`"a"`, `"a"`, `"b"`, `"a.b"`, `"\u0061"`, `"é"`, `"\u00e9"`, `""`})
	plain := rapid.SampledFrom([]string{"1", "-0.50e+7", "12345678901234567890", "true", "null", `""`, `"x"`, `"\"\\\/\b\f\n\r\t"`,
		`"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83dx"`, `"é\u00e9"`, "\"\xff\xfe\"", "\"\xff\\n\"", `"1234567\"9"`})
	space := rapid.SampledFrom([]string{"", "", "", " ", "\t\r\n"})
	var value func(t *rapid.T, depth int) string
	object := func(t *rapid.T, depth int) string {
		var list []string
		for range rapid.IntRange(0, 4).Draw(t, "members") {
			list = append(list, space.Draw(t, "space")+key.Draw(t, "key")+":"+space.Draw(t, "space")+value(t, depth+1))
		}
		return "{" + strings.Join(list, ",") + space.Draw(t, "space") + "}"
	}
	value = func(t *rapid.T, depth int) string {
		switch kind := rapid.IntRange(0, 5).Draw(t, "kind"); {
		case kind == 0 && depth < 4:
			return "[" + value(t, depth+1) + "," + value(t, depth+1) + "]"
		case kind <= 2 && depth < 4:
			return object(t, depth)
		}
		return plain.Draw(t, "plain")
	}
	check := func(t *rapid.T, record []byte) {
		for _, path := range paths {
			s := &jsonSplitter{laid: laid{lay: &Layout{Names: []string{path}}, fields: make([][]byte, 1)}, texts: 1}
			fields, f := s.Split(record)
			var members map[string]json.RawMessage
			isObject := json.Valid(record) && json.Unmarshal(record, &members) == nil && members != nil
			var want any
			if isObject {
				if raw := standardAt(record, path); raw != nil {
					d := json.NewDecoder(bytes.NewReader(raw))
					d.UseNumber()
					if err := d.Decode(&want); err != nil {
						t.Fatal(err)
					}
				}
			}
			var text []byte
			ok := isObject
			switch w := want.(type) {
			case string:
				text = []byte(w)
			case json.Number:
				text = []byte(w)
			case bool:
				text = strconv.AppendBool(nil, w)
			case []any:
				var first string
				first, ok = w[0].(string)
				text = []byte(first)
			case nil:
			default:
				ok = false
			}
			if ok == f.Bad() {
				t.Fatalf("%q of %q: flaw %q, want a record: %t", path, record, f, ok)
			}
			if ok && (!bytes.Equal(fields[0], text) || (fields[0] == nil) != (want == nil)) {
				t.Fatalf("%q of %q: %q, want %q", path, record, fields[0], text)
			}
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		record := []byte(object(t, 0))
		check(t, record)
		at := rapid.IntRange(0, len(record)-1).Draw(t, "at")
		c := rapid.SampledFrom([]byte("\"\\{}[]:,0-.eu/ \n\v\x00\xffan")).Draw(t, "byte")
		check(t, record[:at])
		check(t, slices.Concat(record[:at], []byte{c}, record[at:]))
		record[at] = c
		check(t, record)
	})
}
