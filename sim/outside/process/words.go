package process

import (
	"errors"
	"fmt"
	"strings"
)

// Words splits a command line into a program and its arguments, as a POSIX shell
// does (XCU 2.2, quoting), without expanding anything.
func Words(line string) ([]string, error) {
	words, open := split(line)
	switch {
	case open == '\\':
		return nil, fmt.Errorf("%q: ends after a backslash", line)
	case open != 0:
		return nil, fmt.Errorf("%q: a quote %c is not closed", line, open)
	case len(words) == 0:
		return nil, errors.New("names no program")
	}
	return words, nil
}

// split returns the words of a line, and the quote or backslash that nothing
// follows up; 0 if there is none.
func split(line string) (words []string, open byte) {
	var word []byte
	begun := false // within a word, which may be empty as in ''
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case open == '\\':
			open = 0
			if c != '\n' { // which continues the line
				word, begun = append(word, c), true
			}
		case open != 0 && c == open:
			open = 0
		case open == '"' && c == '\\' && i+1 < len(line) && strings.IndexByte("$`\"\\\n", line[i+1]) >= 0:
			if i++; line[i] != '\n' {
				word = append(word, line[i])
			}
		case open != 0:
			word = append(word, c)
		case c == '\\':
			open = c
		case c == '\'' || c == '"':
			open, begun = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if begun {
				words, word, begun = append(words, string(word)), nil, false
			}
		default:
			word, begun = append(word, c), true
		}
	}
	if begun {
		words = append(words, string(word))
	}
	return words, open
}
