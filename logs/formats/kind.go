package formats

import (
	"bytes"
	"net/netip"

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
)

// Clean returns the part of text that identifies the client.
func (k kind) Clean(text []byte) []byte {
	if k == plain {
		return text
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
	if k == plain || bytes.IndexByte(text, ':') < 0 || !bytes.ContainsAny(text, "ABCDEF.") && !bytes.Contains(text, []byte(":0")) && text[0] != '0' {
		return text // nearly always
	}
	if a, err := netip.ParseAddr(string(text)); err == nil {
		return a.Unmap().AppendTo(nil)
	}
	return text
}

// isPort reports whether b is a colon with a port behind it.
func isPort(b []byte) bool {
	return len(b) >= 2 && len(b) <= 6 && b[0] == ':' && text.Digits(b[1:]) == len(b)-1
}
