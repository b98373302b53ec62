package read

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"

	"github.com/limitgauge/limitgauge/check"
)

// directive is a statement of nginx: words that end with a semicolon or a block.
type directive struct {
	check.Position
	words    []string
	block    []*directive
	hasBlock bool
	text     string // of a block in Lua
}

func (d *directive) name() string { return d.words[0] }

// arguments returns the words after the name as they are shown.
func (d *directive) arguments() string { return strings.Join(d.words[1:], " ") }

// SyntaxError is a place at which a file cannot be read.
type SyntaxError struct {
	check.Position
	Message string
}

func (e *SyntaxError) Error() string { return e.Position.String() + ": " + e.Message }

// lexer reads a text as nginx's ngx_conf_read_token does. It also takes templates
// such as {{ rate }} for parts of words, and leaves out statements such as {% if %}.
type lexer struct {
	file      string
	text      []byte
	at        int
	line      int
	start     int              // of the line
	templates []check.Position // of statements
}

// token is a word, or one of ; { } or the end of the file.
type token struct {
	check.Position
	word string
	mark byte // 0 of a word
}

const endOfFile = 'E'

func (l *lexer) position(at int) check.Position {
	return check.Position{File: l.file, Line: l.line, Col: at - l.start + 1}
}

func (l *lexer) wrong(at check.Position, format string, args ...any) error {
	return &SyntaxError{at, fmt.Sprintf(format, args...)}
}

// step moves over a byte.
func (l *lexer) step() {
	if l.text[l.at] == '\n' {
		l.line, l.start = l.line+1, l.at+1
	}
	l.at++
}

// skip moves behind the next end, or to the end of the text.
func (l *lexer) skip(end string) {
	to := bytes.Index(l.text[l.at:], []byte(end))
	if to < 0 {
		to = len(l.text) - l.at - len(end)
	}
	for stop := min(l.at+to+len(end), len(l.text)); l.at < stop; {
		l.step()
	}
}

func (l *lexer) has(prefix string) bool { return bytes.HasPrefix(l.text[l.at:], []byte(prefix)) }

// maxTemplate bounds what a template fills in, or a comment of one, in bytes.
const maxTemplate = 1000

// ends reports whether the line has this mark further on.
func (l *lexer) ends(mark string) bool {
	line, _, _ := bytes.Cut(l.text[l.at:min(l.at+maxTemplate, len(l.text))], []byte("\n"))
	return bytes.Contains(line, []byte(mark))
}

// filled reports whether a value that a template fills in begins here and ends on the
// line, and what ends it.
func (l *lexer) filled() (end string, ok bool) {
	switch b := l.text[l.at]; {
	case b == '{' && l.has("{{"):
		end = "}}"
	case b == '<' && l.has("<%"):
		end = "%>"
	}
	return end, end != "" && l.ends(end)
}

// control begins a statement of a template of Go or Handlebars.
var control = regexp.MustCompile(`^\{\{[-~]?\s*(?:if|else|end|range|with|define|block|template|/\*|#|/|\$\w+\s*:?=)`)

// statement reports whether a statement of a template begins here, or a value that has
// the line to itself, and what ends it.
func (l *lexer) statement() (end string, ok bool) {
	if end, ok = l.filled(); !ok {
		return end, false
	}
	line, _, _ := bytes.Cut(l.text[l.at:min(l.at+maxTemplate, len(l.text))], []byte("\n"))
	_, rest, _ := bytes.Cut(line, []byte(end))
	blank := func(b []byte) bool { return len(bytes.TrimSpace(b)) == 0 }
	return end, control.Match(line) || blank(rest) && blank(l.text[max(l.start, l.at-maxTemplate):l.at])
}

// next returns the next token.
func (l *lexer) next() (token, error) {
	for l.at < len(l.text) {
		end, statement := l.statement()
		switch b := l.text[l.at]; {
		case b == ' ' || b == '\t' || b == '\r' || b == '\n':
			l.step()
		case b == '#':
			l.skip("\n")
		case statement:
			l.templates = append(l.templates, l.position(l.at))
			l.skip(end)
		case l.has("{%"), l.has("{#") && l.ends("#}"), l.has("<%") && !l.has("<%="):
			if !l.has("{#") {
				l.templates = append(l.templates, l.position(l.at))
			}
			l.skip(map[byte]string{'{': string(l.text[l.at+1]) + "}", '<': "%>"}[b])
		case b == ';', b == '}', b == '{' && !l.has("{{"):
			t := token{Position: l.position(l.at), mark: b}
			l.step()
			return t, nil
		case b == '"' || b == '\'':
			return l.quoted(b)
		default:
			return l.word()
		}
	}
	return token{Position: l.position(l.at), mark: endOfFile}, nil
}

// quoted reads a word in quotes.
func (l *lexer) quoted(quote byte) (token, error) {
	t := token{Position: l.position(l.at)}
	l.step()
	var word []byte
	for l.at < len(l.text) && l.text[l.at] != quote {
		word = l.character(word)
	}
	if l.at == len(l.text) {
		return t, l.wrong(t.Position, "the quote %c does not end", quote)
	}
	l.step()
	if l.at < len(l.text) && !strings.ContainsRune(" \t\r\n;{)", rune(l.text[l.at])) {
		return t, l.wrong(l.position(l.at), "unexpected %q behind a quoted word", l.text[l.at])
	}
	t.word = string(word)
	return t, nil
}

// word reads a word without quotes.
func (l *lexer) word() (token, error) {
	t := token{Position: l.position(l.at)}
	var word []byte
	for l.at < len(l.text) {
		if end, ok := l.filled(); ok {
			from := l.at
			l.skip(end)
			word = append(word, l.text[from:l.at]...)
			continue
		}
		b := l.text[l.at]
		if b == '{' && len(word) > 0 && word[len(word)-1] == '$' && !escaped(word) {
			word = append(word, b)
			l.step()
			continue
		}
		if strings.IndexByte(" \t\r\n;{", b) >= 0 {
			break
		}
		word = l.character(word)
	}
	t.word = string(word)
	if len(word) == 0 { // a brace of a template that does not end
		return t, l.wrong(t.Position, "unexpected %q", l.text[l.at])
	}
	return t, nil
}

// escaped reports whether the last byte follows a backslash.
func escaped(word []byte) bool { return len(word) > 1 && word[len(word)-2] == '\\' }

// character appends a byte, or what an escape stands for.
func (l *lexer) character(word []byte) []byte {
	b := l.text[l.at]
	l.step()
	if b != '\\' || l.at == len(l.text) {
		return append(word, b)
	}
	b = l.text[l.at]
	l.step()
	switch b {
	case '"', '\'', '\\':
		return append(word, b)
	case 't':
		return append(word, '\t')
	case 'r':
		return append(word, '\r')
	case 'n':
		return append(word, '\n')
	}
	return append(word, '\\', b)
}

// maxDepth bounds blocks inside blocks.
const maxDepth = 100

// maxWord is how long a word of nginx can be, in bytes.
const maxWord = 4096

// parse reads statements up to the end of a block, or of the file at depth 0.
func (l *lexer) parse(depth int) (list []*directive, err error) {
	var d *directive
	for {
		t, err := l.next()
		if err != nil {
			return list, err
		}
		switch {
		case t.mark == 0 && len(t.word) > maxWord:
			return list, l.wrong(t.Position, "a word of more than %d bytes, which nginx does not read", maxWord)
		case t.mark == 0:
			if d == nil {
				d = &directive{Position: t.Position}
			}
			d.words = append(d.words, t.word)
			continue
		case t.mark == endOfFile && (d != nil || depth > 0):
			return list, l.wrong(t.Position, "unexpected end of file, expecting %s", map[bool]string{true: `";" or "}"`, false: `"}"`}[d != nil])
		case t.mark == endOfFile:
			return list, nil
		case t.mark == '}' && d == nil && depth > 0:
			return list, nil
		case d == nil, t.mark == '}':
			return list, l.wrong(t.Position, "unexpected %q", string(t.mark))
		case depth == maxDepth:
			return list, l.wrong(t.Position, "more than %d blocks inside blocks", maxDepth)
		case t.mark == '{' && strings.HasSuffix(d.name(), "_by_lua_block"):
			d.hasBlock = true
			if d.text, err = l.lua(t); err != nil {
				return list, err
			}
		case t.mark == '{':
			d.hasBlock = true
			if d.block, err = l.parse(depth + 1); err != nil {
				return append(list, d), err
			}
		}
		list, d = append(list, d), nil
	}
}

// luaToken matches what has braces of its own in Lua (comments, which may be long, and
// texts), and braces.
var luaToken = regexp.MustCompile(`(?s)(?:--)?\[\[.*?(?:\]\]|\z)|--[^\n]*|"(?:\\.|[^"\\\n])*|'(?:\\.|[^'\\\n])*|[{}]`)

// lua moves behind the brace that ends a block of Lua, and returns the block.
func (l *lexer) lua(open token) (string, error) {
	from := l.at
	for depth := 1; depth > 0; {
		found := luaToken.FindIndex(l.text[l.at:])
		if found == nil {
			return "", l.wrong(open.Position, "the block of Lua does not end")
		}
		end := l.at + found[1]
		switch l.text[l.at+found[0]] {
		case '{':
			depth++
		case '}':
			depth--
		case '"', '\'':
			end = min(end+1, len(l.text))
		}
		for l.at < end {
			l.step()
		}
	}
	return string(l.text[from : l.at-1]), nil
}
