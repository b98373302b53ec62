package text

import (
	"bytes"
	"io"
)

// MaxLine is the length of the longest line, or record of several lines, that
// is read. A longer one is malformed.
const MaxLine = 16 << 20

// Lines cuts a stream into lines. Its buffer grows to the longest line. A
// record may be extended by the following lines (a quoted CSV field with a line
// break) and reset to its first line if that does not help.
type Lines struct {
	r     io.Reader
	buf   []byte
	rec   int // where the current record starts
	first int // end of its first line, line break included
	start int // where the next line starts
	end   int // end of what has been read
	eof   bool
	Err   error // other than io.EOF

	Line  int64 // number of the current record's first line, from 1
	extra int64 // lines it has been extended by
}

// NewLines returns a reader of the lines of r.
func NewLines(r io.Reader) *Lines {
	return &Lines{r: r, buf: make([]byte, 256<<10)}
}

// LinesIn returns a reader of the lines of a text.
func LinesIn(text []byte) *Lines {
	return &Lines{buf: text, end: len(text), eof: true}
}

// fill reads more input and keeps everything from the current record on.
func (l *Lines) fill() {
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
				l.Err = err
			}
			return
		}
		if n > 0 {
			return
		}
	}
	l.eof, l.Err = true, io.ErrNoProgress
}

// Ahead returns the input ahead: at least size bytes, unless the input ends first.
// whole reports that it is all that remains.
func (l *Lines) Ahead(size int) (text []byte, whole bool) {
	for !l.eof && l.end-l.start < size {
		l.fill()
	}
	return l.buf[l.start:l.end], l.eof
}

// Peek returns the input ahead: at least size bytes and one whole line, unless
// the input or MaxLine ends first. whole reports that it is all that remains.
func (l *Lines) Peek(size int) (ahead []byte, whole bool) {
	for !l.eof && l.end-l.start <= MaxLine &&
		(l.end-l.start < size || bytes.IndexByte(l.buf[l.start:l.end], '\n') < 0) {
		l.fill()
	}
	return l.buf[l.start:l.end], l.eof
}

// Next returns the next line without its line break. long reports that the line
// exceeded MaxLine and was skipped. ok is false at the end.
func (l *Lines) Next() (line []byte, long, ok bool) {
	l.Line += 1 + l.extra
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
	return TrimCR(l.buf[l.rec:end]), false, true
}

// Extend adds the next line to the current record and keeps the line break
// between them. It returns false at the end of the input and if the record
// would exceed MaxLine.
func (l *Lines) Extend() (record []byte, ok bool) {
	size := l.start - l.rec
	end, long := l.find()
	if long || l.start-l.rec == size { // nothing was left
		return nil, false
	}
	l.extra++
	return TrimCR(l.buf[l.rec:end]), true
}

// GiveBack resets the current record to its first line.
func (l *Lines) GiveBack() { l.start, l.extra = l.first, 0 }

// Again makes next return the current record's first line once more.
func (l *Lines) Again() {
	l.start, l.extra = l.rec, 0
	l.Line--
}

// find finds the end of the line at start. If the record exceeds MaxLine before
// the line ends, it returns long and changes nothing.
func (l *Lines) find() (end int, long bool) {
	searched := l.start - l.rec
	for {
		if i := bytes.IndexByte(l.buf[l.rec+searched:l.end], '\n'); i >= 0 {
			end = l.rec + searched + i
			if end-l.rec > MaxLine {
				return 0, true
			}
			l.start = end + 1
			return end, false
		}
		if l.end-l.rec > MaxLine {
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
func (l *Lines) skipLine() {
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

// More reads on until twice as much input is ahead, unless it ends first, and returns it.
// whole reports that it is all that remains.
func (l *Lines) More() (ahead []byte, whole bool) {
	l.rec = l.start
	return l.Ahead(2*(l.end-l.start) + 1)
}

// Drop goes on by n bytes of the input ahead. A record begins behind them.
func (l *Lines) Drop(n int) {
	l.start += n
	l.rec = l.start
}

// TrimCR returns a line without the carriage return at its end.
func TrimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}
