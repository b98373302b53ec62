// Package jsontext finds values in JSON text without decoding it: valid text is
// walked once, and values are parts of it. It takes a fraction of the time of
// encoding/json and allocates nothing for most text.
//
// The package makes no promise: it can change at any time.
package jsontext

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"
)

// The functions below parse JSON text that is known to be valid. In any other
// text they find nothing, but they never read beyond its end.

// At returns the value at a path such as request.headers.host or a.b[0].c
// inside a JSON value, or nil. Object keys may contain dots, and be equal, so every
// member whose key is a prefix of the path is followed, and the last one that has the
// value is used.
func At(value []byte, path string) []byte {
	if path == "" {
		return value
	}
	if len(value) > 0 && value[0] == '[' {
		index, rest, ok := pathIndex(path)
		if !ok {
			return nil
		}
		var found []byte
		i := 0
		Walk(value, func(_, element []byte) bool {
			if i == index {
				found = At(element, rest)
				return false
			}
			i++
			return true
		})
		return found
	}
	var found []byte
	Walk(value, func(key, member []byte) bool {
		if v := ThroughMember(Unquote(key), member, path); v != nil {
			found = v
		}
		return true
	})
	return found
}

// ThroughMember returns the value at a path that starts with an object's
// member, or nil.
func ThroughMember(name, member []byte, path string) []byte {
	n := len(name)
	if n > len(path) || string(name) != path[:n] {
		return nil
	}
	switch rest := path[n:]; {
	case rest == "":
		return member
	case rest[0] == '.' && len(rest) > 1:
		return At(member, rest[1:])
	case rest[0] == '[':
		return At(member, rest)
	}
	return nil
}

// pathIndex parses "[3]" or "3" at the start of a path, with the dot after it.
func pathIndex(path string) (index int, rest string, ok bool) {
	path, bracket := strings.CutPrefix(path, "[")
	n := digits([]byte(path))
	if n == 0 || n > 9 {
		return 0, "", false
	}
	index, _ = strconv.Atoi(path[:n])
	path = path[n:]
	if bracket {
		if path, ok = strings.CutPrefix(path, "]"); !ok {
			return 0, "", false
		}
	}
	rest, ok = strings.CutPrefix(path, ".")
	return index, rest, ok || path == "" || path[0] == '['
}

// Walk calls visit for each member of an object (key with its quotes) or
// element of an array (key nil), until visit returns false. A member that is
// truncated is visited too, with the rest of the text.
func Walk(value []byte, visit func(key, value []byte) bool) {
	if len(value) == 0 || (value[0] != '{' && value[0] != '[') {
		return
	}
	object := value[0] == '{'
	for i := 1; ; {
		i = SkipSpace(value, i)
		if i < len(value) && value[i] == ',' {
			i = SkipSpace(value, i+1)
		}
		if i >= len(value) || value[i] == '}' || value[i] == ']' {
			return
		}
		var key []byte
		if object {
			end := SkipString(value, i)
			if end < 0 {
				return
			}
			key = value[i:end]
			i = SkipSpace(value, end)
			if i >= len(value) || value[i] != ':' {
				return
			}
			i = SkipSpace(value, i+1)
		}
		end := SkipValue(value, i)
		if end < 0 {
			end = len(value)
		}
		if !visit(key, value[i:end]) {
			return
		}
		i = end
	}
}

// TrimSpace returns a text without the white space of JSON around it.
func TrimSpace(b []byte) []byte { return bytes.Trim(b, " \t\r\n") }

// SkipSpace returns the index of the first character from i on that is no white
// space, or the length of b.
func SkipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// SkipString returns the index behind the string that starts at i, or -1.
func SkipString(b []byte, i int) int {
	if i >= len(b) || b[i] != '"' {
		return -1
	}
	for i++; ; i++ {
		switch i = endOfPlain(b, i); {
		case i >= len(b):
			return -1
		case b[i] == '"':
			return i + 1
		case b[i] == '\\':
			i++
		}
	}
}

// delimits marks the characters that end a number, true, false or null.
var delimits = [256]bool{' ': true, '\t': true, '\r': true, '\n': true, ',': true, ':': true, '{': true, '}': true, '[': true, ']': true, '"': true}

// SkipValue returns the index behind the value that starts at i, or -1.
func SkipValue(b []byte, i int) int {
	start, depth := i, 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = SkipString(b, i); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
			i++
			continue
		case '}', ']':
			depth--
			i++
		case ' ', '\t', '\n', '\r', ',', ':':
			i++
			continue
		default:
			for i < len(b) && !delimits[b[i]] {
				i++
			}
		}
		if depth <= 0 {
			if i == start || depth < 0 {
				return -1
			}
			return i
		}
	}
	return -1
}

// Unquote returns the contents of a JSON string.
func Unquote(s []byte) []byte {
	if len(s) < 2 {
		return nil
	}
	if bytes.IndexByte(s, '\\') < 0 {
		return s[1 : len(s)-1]
	}
	var text string
	if json.Unmarshal(s, &text) != nil {
		return s[1 : len(s)-1]
	}
	return []byte(text)
}

// Scalar returns a value's text: the contents of a string, a number, true or
// false as written, nil for null. ok is false for objects and arrays.
func Scalar(value []byte) (text []byte, ok bool) {
	switch {
	case len(value) == 0 || string(value) == "null":
		return nil, true
	case value[0] == '"' && !utf8.Valid(value):
		var text string
		_ = json.Unmarshal(value, &text) // the replacement for what is no UTF-8
		return []byte(text), true
	case value[0] == '"':
		return Unquote(value), true
	case value[0] == '{' || value[0] == '[':
		return nil, false
	}
	return value, true
}
