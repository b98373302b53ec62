package formats

import "bytes"

// IsIP reports whether text is an IPv4 or IPv6 address, without a port or
// brackets.
func IsIP(text []byte) bool {
	if len(text) < 2 || len(text) > 45 {
		return false
	}
	if bytes.IndexByte(text, ':') < 0 {
		return isIPv4(text)
	}
	colons := 0
	for i, c := range text {
		switch {
		case c == ':':
			colons++
		case c == '.':
			from := bytes.LastIndexByte(text[:i], ':') + 1
			return colons >= 2 && isIPv4(text[from:]) // ::ffff:192.0.2.1
		case c == '%':
			return colons >= 2 // a zone
		case !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'):
			return false
		}
	}
	return colons >= 2 && colons <= 8
}

func isIPv4(text []byte) bool {
	dots, n, value := 0, 0, 0
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			n++
			value = 10*value + int(c-'0')
		case c == '.' && n > 0:
			dots++
			n, value = 0, 0
		default:
			return false
		}
		if n > 3 || value > 255 || dots > 3 {
			return false
		}
	}
	return dots == 3 && n > 0
}

// hasIP reports whether text is an address that a port may follow.
func hasIP(text []byte) bool { return IsIP(address.Clean(text)) || IsIP(addressPort.Clean(text)) }
