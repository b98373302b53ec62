package jsontext

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// controls are the control characters that an escape has a letter for.
var controls = [256]byte{'n': '\n', 't': '\t', 'r': '\r', 'b': '\b', 'f': '\f'}

// AppendUnescaped appends the contents of a JSON string, given without its
// quotes. Escapes that JSON does not have stay as they are.
func AppendUnescaped(to, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return append(to, text...)
		}
		to = append(to, text[:i]...)
		c := text[i+1]
		text = text[i+2:]
		switch c {
		case '"', '\\', '/':
			to = append(to, c)
		case 'n', 't', 'r', 'b', 'f':
			to = append(to, controls[c])
		case 'u':
			r, n := unescapeRune(text)
			if n == 0 {
				to = append(to, '\\', 'u')
				continue
			}
			to, text = utf8.AppendRune(to, r), text[n:]
		default:
			to = append(to, '\\', c)
		}
	}
}

// unescapeRune returns the character of the digits behind \u and their length,
// which includes the second half of a pair.
func unescapeRune(text []byte) (r rune, n int) {
	r, ok := hex4(text)
	if !ok {
		return 0, 0
	}
	if next, more := bytes.CutPrefix(text[4:], []byte(`\u`)); more {
		if low, ok := hex4(next); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return utf16.DecodeRune(r, low), 10
		}
	}
	return r, 4
}

func hex4(text []byte) (r rune, ok bool) {
	if len(text) < 4 {
		return 0, false
	}
	for _, c := range text[:4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
