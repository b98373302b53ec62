package process

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// appendFirst appends the line that a process reads first.
func appendFirst(b []byte, f First) []byte {
	b = appendInt(b, `{"policy":{"limit":`, f.LimitTokens)
	b = appendInt(b, `,"window_ns":`, f.WindowNs)
	b = appendInt(b, `,"burst":`, f.BurstTokens)
	b = appendInt(b, `},"client":`, int64(f.Client))
	b = appendInt(b, `,"clients":`, int64(f.Clients))
	b = append(b, `,"seed":`...)
	b = strconv.AppendUint(b, f.Seed, 10)
	return append(b, "}\n"...)
}

// appendRequest appends the line of request i. It returns false if the key is not
// valid UTF-8: JSON has no other strings, and a replacement could make two keys one.
func appendRequest(b []byte, i int64, r *Request) (_ []byte, ok bool) {
	b = appendInt(b, `{"i":`, i)
	b = appendInt(b, `,"at_ns":`, r.AtNs)
	b = append(b, `,"key":"`...)
	if b, ok = appendText(b, r.Key); !ok {
		return b, false
	}
	b = appendInt(b, `","cost":`, r.Cost)
	return append(b, "}\n"...), true
}

func appendInt(b []byte, label string, n int64) []byte {
	return strconv.AppendInt(append(b, label...), n, 10)
}

// appendText appends what stands between the quotes of a JSON string. It returns false if
// the string is not valid UTF-8.
func appendText(b []byte, s string) (_ []byte, ok bool) {
	ascii := true
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			ascii = false
		case c < ' ' || c == '"' || c == '\\':
			text, _ := json.Marshal(s) // no string is an error
			return append(b, text[1:len(text)-1]...), utf8.ValidString(s)
		}
	}
	return append(b, s...), ascii || utf8.ValidString(s)
}
