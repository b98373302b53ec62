package process

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// maxAnswer is the longest line, in bytes, that a process may write.
const maxAnswer = 4096

// parseAnswer reads the line of an answer without its end of line, and the number
// of the request.
func parseAnswer(line []byte) (i int64, a Answer, err error) {
	if i, a, ok := parseUsual(line); ok {
		return i, a, nil
	}
	return parseJSON(line)
}

// parseUsual reads the form in which most programs write an answer: the members in
// the order of the documentation, with at most one space after a colon or a comma.
// It returns false for anything else.
func parseUsual(line []byte) (i int64, a Answer, ok bool) {
	s := scanner{rest: line, ok: true}
	s.expect(`{`)
	s.label(`"i":`)
	i = s.number()
	s.expect(`,`)
	s.space()
	s.label(`"admit":`)
	if a.Admit = len(s.rest) > 0 && s.rest[0] == 't'; a.Admit {
		s.expect(`true`)
	} else {
		s.expect(`false`)
	}
	if a.Admit && len(s.rest) > 0 && s.rest[0] == ',' {
		s.expect(`,`)
		s.space()
		s.label(`"wait_ns":`)
		a.WaitNs = s.number()
	}
	s.expect(`}`)
	return i, a, s.ok && len(bytes.TrimSuffix(s.rest, []byte("\r"))) == 0
}

// scanner reads the usual form of an answer. ok is false after the first difference.
type scanner struct {
	rest []byte
	ok   bool
}

func (s *scanner) expect(text string) {
	if len(s.rest) < len(text) || string(s.rest[:len(text)]) != text {
		s.ok, s.rest = false, nil
		return
	}
	s.rest = s.rest[len(text):]
}

func (s *scanner) space() {
	if len(s.rest) > 0 && s.rest[0] == ' ' {
		s.rest = s.rest[1:]
	}
}

func (s *scanner) label(text string) {
	s.expect(text)
	s.space()
}

// number reads an integer from 0 to 10^18-1.
func (s *scanner) number() (n int64) {
	digits := 0
	for digits < len(s.rest) && '0' <= s.rest[digits] && s.rest[digits] <= '9' {
		n = 10*n + int64(s.rest[digits]-'0')
		if digits++; digits > 18 {
			break
		}
	}
	if digits == 0 || digits > 18 || digits > 1 && s.rest[0] == '0' {
		s.ok = false
	}
	s.rest = s.rest[digits:]
	return n
}

// parseJSON reads an answer in any form. It accepts each member once.
func parseJSON(line []byte) (i int64, a Answer, err error) {
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return 0, a, errors.New("it is not a JSON object")
	}
	seen := map[string]bool{}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return 0, a, errors.New("it is not JSON")
		}
		member := name.(string) // the decoder accepts nothing else here
		var value any
		if err := d.Decode(&value); err != nil {
			return 0, a, errors.New("it is not JSON")
		}
		if seen[member] {
			return 0, a, fmt.Errorf("it has two members %q", member)
		}
		seen[member] = true
		switch member {
		case "i":
			i, err = integer(value)
		case "wait_ns":
			a.WaitNs, err = integer(value)
		case "admit":
			var is bool
			if a.Admit, is = value.(bool); !is {
				err = errors.New("is neither true nor false")
			}
		default:
			err = errors.New("is unknown")
		}
		if err != nil {
			return 0, a, fmt.Errorf("its member %q %w", member, err)
		}
	}
	if _, err := d.Token(); err != nil {
		return 0, a, errors.New("it is not JSON")
	}
	if _, err := d.Token(); err != io.EOF {
		return 0, a, errors.New("more follows the object")
	}
	switch {
	case !seen["i"]:
		return 0, a, errors.New(`it has no member "i"`)
	case !seen["admit"]:
		return 0, a, errors.New(`it has no member "admit"`)
	case !a.Admit && a.WaitNs > 0:
		return 0, a, errors.New("a rejected request cannot wait")
	}
	return i, a, nil
}

// integer returns a number of JSON that is an integer of 0 or more.
func integer(value any) (int64, error) {
	n, is := value.(json.Number)
	if !is {
		return 0, errors.New("is not a number")
	}
	i, err := strconv.ParseInt(n.String(), 10, 64)
	if err != nil || i < 0 {
		return 0, fmt.Errorf("is %s, not an integer from 0 to 2^63-1", n)
	}
	return i, nil
}
