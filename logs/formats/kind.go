package formats

import (
	"bytes"
	"net/netip"
	"slices"

	"github.com/limitgauge/limitgauge/logs/text"
)

// kind says what a field's text holds. A key of the kinds for addresses is the
// address alone: without the port, IPv6 without brackets, without quotes.
type kind uint8

const (
	plain       kind = iota // any text, used as it is
	address                 // an address or host name; a port may follow
	addressPort             // an address with a port after the last colon
	addresses               // an address, or a list as in X-Forwarded-For; the sample shows which
	forwarded               // X-Forwarded-For: the first of a list of addresses, as the client sent it

	methodPart // of a request line, as the next one
	pathPart   // also of a URL, as the next one
	hostPart
)

// parts names the parts of requests from methodPart on.
var parts = []string{"method", "path", "host"}

// partKind returns the kind of a field that has a part of requests.
func partKind(part string) kind {
	if i := slices.Index(parts, part); i >= 0 {
		return methodPart + kind(i)
	}
	return plain
}

// inField names what a field holds.
func (k kind) inField(name string) string {
	if k >= methodPart {
		return parts[k-methodPart] + " in " + name
	}
	return name
}

// isAddress reports whether a field holds addresses.
func (k kind) isAddress() bool { return k >= address && k <= forwarded }

// Clean returns the part of text that identifies the client, or the part of a request.
func (k kind) Clean(text []byte) []byte {
	if !k.isAddress() {
		return k.partOf(text)
	}
	if k >= addresses {
		if i := bytes.IndexByte(text, ','); i >= 0 {
			text = text[:i]
		}
		text = bytes.TrimSpace(text)
	}
	colon := bytes.IndexByte(text, ':')
	if colon < 0 && (len(text) == 0 || text[0] != '"') {
		return text
	}
	if n := len(text); n >= 2 && text[0] == '"' && text[n-1] == '"' {
		return k.Clean(text[1 : n-1])
	}
	if text[0] == '[' {
		if end := bytes.IndexByte(text, ']'); end > 0 && (end+1 == len(text) || isPort(text[end+1:])) {
			return text[1:end]
		}
		return text
	}
	last := colon + 1 + bytes.LastIndexByte(text[colon+1:], ':')
	if last > colon && k != addressPort {
		return text // IPv6 without a port
	}
	if last > 0 && isPort(text[last:]) {
		return text[:last]
	}
	return text
}

// Key returns the key in a text: what Clean returns, but an IPv6 address as RFC 5952
// writes it, so that each client has one key, and an IPv4 address without the ::ffff: of a
// server that listens on IPv6, too.
func (k kind) Key(text []byte) []byte {
	text = k.Clean(text)
	if !k.isAddress() || bytes.IndexByte(text, ':') < 0 || !bytes.ContainsAny(text, "ABCDEF.") && !bytes.Contains(text, []byte(":0")) && text[0] != '0' {
		return text // nearly always
	}
	if a, err := netip.ParseAddr(string(text)); err == nil {
		return a.Unmap().AppendTo(nil)
	}
	return text
}

// partOf returns a part of a request from a field that may hold a request line, and in
// place of a path or a host a URL.
func (k kind) partOf(field []byte) []byte {
	switch k {
	case methodPart:
		method, _, _ := bytes.Cut(field, []byte(" "))
		return method
	case hostPart:
		if _, behind, ok := bytes.Cut(field, []byte("://")); ok {
			field = behind
			if end := bytes.IndexAny(behind, "/? "); end >= 0 {
				field = behind[:end]
			}
			field = field[bytes.LastIndexByte(field, '@')+1:]
		}
		return field
	case pathPart:
		if bytes.HasPrefix(field, []byte("/")) {
			break
		}
		if i := bytes.IndexByte(field, ' '); i > 0 && bytes.IndexByte(field[:i], '/') < 0 {
			field = requestPart(field, partTarget)
		}
		if _, behind, ok := bytes.Cut(field, []byte("://")); ok {
			_, inside, _ := bytes.Cut(behind, []byte("/"))
			field = slices.Concat([]byte("/"), inside)
		}
	default:
		return field
	}
	path, _, _ := bytes.Cut(field, []byte("?"))
	return path
}

// isPort reports whether b is a colon with a port behind it.
func isPort(b []byte) bool {
	return len(b) >= 2 && len(b) <= 6 && b[0] == ':' && text.Digits(b[1:]) == len(b)-1
}
