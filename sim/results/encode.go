package results

import (
	"fmt"
	"io"
	"reflect"
)

// Encode writes the text of a document.
func Encode(w io.Writer, d *Document) error {
	text, err := Text(d)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return fmt.Errorf("encode results: %w", err)
	}
	return nil
}

// Text returns the document as indented JSON with a final newline. Fields are
// in the order of the types, metrics are sorted by name, floats have the
// shortest form that reads back the same, and missing lists are []. Equal
// documents have equal bytes. Text returns an error for a document that
// Decode would reject.
func Text(d *Document) ([]byte, error) {
	if err := d.Check(); err != nil {
		return nil, fmt.Errorf("encode results: %w", err)
	}
	complete := *d
	withoutNilLists(reflect.ValueOf(&complete).Elem())
	compact, err := plainJSON(complete)
	if err != nil {
		return nil, fmt.Errorf("encode results: %w", err)
	}
	return indented(compact), nil
}

// withoutNilLists replaces every nil list and map within v by an empty one, so
// that readers need not handle null. v must be settable. Lists and maps that
// change are replaced by copies; the originals stay unchanged.
func withoutNilLists(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			withoutNilLists(v.Field(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			withoutNilLists(v.Index(i))
		}
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Struct {
			return
		}
		list := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
		reflect.Copy(list, v)
		for i := range list.Len() {
			withoutNilLists(list.Index(i))
		}
		v.Set(list)
	case reflect.Map:
		entries := reflect.MakeMapWithSize(v.Type(), v.Len())
		for key, entry := range v.Seq2() {
			changed := reflect.New(entry.Type()).Elem()
			changed.Set(entry)
			withoutNilLists(changed)
			entries.SetMapIndex(key, changed)
		}
		v.Set(entries)
	}
}

// maxObjectLine is the length in bytes of compact JSON up to which an object
// stays on one line.
const maxObjectLine = 120

// indented indents compact JSON by two spaces. Lists of scalars and short objects
// of scalars stay on one line, so that a series of 600 bins takes one line.
func indented(compact []byte) []byte {
	out := make([]byte, 0, len(compact)*2)
	newline := "\n" // with the indentation
	flat := 0       // end of the list or object that stays on one line
	for i := 0; i < len(compact); i++ {
		c := compact[i]
		if c == '{' || c == '[' {
			flat = flatEnd(compact, i)
		}
		switch {
		case c == '"':
			end := stringEnd(compact, i)
			out = append(out, compact[i:end]...)
			i = end - 1
		case c == ':':
			out = append(out, ": "...)
		case c == ',' && i < flat:
			out = append(out, ", "...)
		case i < flat:
			out = append(out, c)
		case c == '{', c == '[':
			newline += "  "
			out = append(append(out, c), newline...)
		case c == '}', c == ']':
			newline = newline[:len(newline)-2]
			out = append(append(out, newline...), c)
		case c == ',':
			out = append(append(out, c), newline...)
		default:
			out = append(out, c) // scalars and the final newline
		}
	}
	return out
}

// stringEnd returns the index after the JSON string that starts at i.
func stringEnd(b []byte, i int) int {
	for i++; b[i] != '"'; i++ {
		if b[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// flatEnd returns the index after the list or object that starts at i if it is
// written on one line, otherwise 0.
func flatEnd(b []byte, i int) int {
	start := i
	for i++; ; i++ {
		switch b[i] {
		case '"':
			i = stringEnd(b, i) - 1
		case '{', '[':
			return 0
		case ']':
			return i + 1
		case '}':
			if i+1-start > maxObjectLine {
				return 0
			}
			return i + 1
		}
	}
}
