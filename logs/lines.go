package logs

import (
	"bytes"
	"io"
)

// maxLine is the length of the longest line, or record of several lines, that
// is read. A longer one is malformed.
const maxLine = 16 << 20

// lineReader cuts a stream into lines. Its buffer grows to the longest line. A
// record may be extended by the following lines (a quoted CSV field with a line
// break) and reset to its first line if that does not help.
type lineReader struct {
	r     io.Reader
	buf   []byte
	rec   int // where the current record starts
	first int // end of its first line, line break included
	start int // where the next line starts
	end   int // end of what has been read
	eof   bool
	err   error // other than io.EOF

	line  int64 // number of the current record's first line, from 1
	extra int64 // lines it has been extended by
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{r: r, buf: make([]byte, 256<<10)}
}

// linesIn returns a reader of the lines of a text.
func linesIn(text []byte) *lineReader {
	return &lineReader{buf: text, end: len(text), eof: true}
}

// fill reads more input and keeps everything from the current record on.
func (l *lineReader) fill() {
	if l.rec > 0 {
		copy(l.buf, l.buf[l.rec:l.end])
		l.first -= l.rec
		l.start -= l.rec
		l.end -= l.rec
		l.rec = 0
	}
	if l.end == len(l.buf) {
		l.buf = append(l.buf, make([]byte, len(l.buf))...)
	}
	for range 100 {
		n, err := l.r.Read(l.buf[l.end:])
		l.end += n
		if err != nil {
			l.eof = true
			if err != io.EOF {
				l.err = err
			}
			return
		}
		if n > 0 {
			return
		}
	}
	l.eof, l.err = true, io.ErrNoProgress
}

// ahead returns the input ahead: at least size bytes, unless the input ends first.
// whole reports that it is all that remains.
func (l *lineReader) ahead(size int) (text []byte, whole bool) {
	for !l.eof && l.end-l.start < size {
		l.fill()
	}
	return l.buf[l.start:l.end], l.eof
}

// peek returns the input ahead: at least size bytes and one whole line, unless
// the input or maxLine ends first. whole reports that it is all that remains.
func (l *lineReader) peek(size int) (ahead []byte, whole bool) {
	for !l.eof && l.end-l.start <= maxLine &&
		(l.end-l.start < size || bytes.IndexByte(l.buf[l.start:l.end], '\n') < 0) {
		l.fill()
	}
	return l.buf[l.start:l.end], l.eof
}

// next returns the next line without its line break. long reports that the line
// exceeded maxLine and was skipped. ok is false at the end.
func (l *lineReader) next() (line []byte, long, ok bool) {
	l.line += 1 + l.extra
	l.rec, l.extra = l.start, 0
	end, long := l.find()
	if long {
		l.skipLine()
		return nil, true, true
	}
	l.first = l.start
	if l.rec == l.start {
		return nil, false, false
	}
	return trimCR(l.buf[l.rec:end]), false, true
}

// extend adds the next line to the current record and keeps the line break
// between them. It returns false at the end of the input and if the record
// would exceed maxLine.
func (l *lineReader) extend() (record []byte, ok bool) {
	from := l.start
	end, long := l.find()
	if long || (l.eof && from == l.end) {
		return nil, false
	}
	l.extra++
	return trimCR(l.buf[l.rec:end]), true
}

// giveBack resets the current record to its first line.
func (l *lineReader) giveBack() { l.start, l.extra = l.first, 0 }

// again makes next return the current record's first line once more.
func (l *lineReader) again() {
	l.start, l.extra = l.rec, 0
	l.line--
}

// find finds the end of the line at start. If the record exceeds maxLine before
// the line ends, it returns long and changes nothing.
func (l *lineReader) find() (end int, long bool) {
	searched := l.start - l.rec
	for {
		if i := bytes.IndexByte(l.buf[l.rec+searched:l.end], '\n'); i >= 0 {
			end = l.rec + searched + i
			if end-l.rec > maxLine {
				return 0, true
			}
			l.start = end + 1
			return end, false
		}
		if l.end-l.rec > maxLine {
			return 0, true
		}
		if l.eof {
			l.start = l.end
			return l.end, false
		}
		searched = l.end - l.rec
		l.fill()
	}
}

// skipLine drops the line at start, however long it is.
func (l *lineReader) skipLine() {
	for {
		if i := bytes.IndexByte(l.buf[l.start:l.end], '\n'); i >= 0 {
			l.start += i + 1
			break
		}
		l.start = l.end
		if l.eof {
			break
		}
		l.rec = l.start
		l.fill()
	}
	l.rec = l.start
}

// more reads on and returns the input ahead. whole reports that it is all that
// remains.
func (l *lineReader) more() (ahead []byte, whole bool) {
	l.rec = l.start
	l.fill()
	return l.buf[l.start:l.end], l.eof
}

// drop goes on by n bytes of the input ahead. A record begins behind them.
func (l *lineReader) drop(n int) {
	l.start += n
	l.rec = l.start
}

// drain reads what remains and drops it, so that an error in it is found.
func (l *lineReader) drain() {
	for !l.eof {
		l.start, l.rec = l.end, l.end
		l.fill()
	}
	l.start = l.end
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
