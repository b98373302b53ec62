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
	return isIPv6(text)
}

// isIPv6 reports whether text is an IPv6 address, with or without a zone. A time of
// day and a hardware address have colons, too.
func isIPv6(text []byte) bool {
	text, _, _ = bytes.Cut(text, []byte{'%'})
	n := len(text)
	if n < 2 || text[0] == ':' && text[1] != ':' || text[n-1] == ':' && text[n-2] != ':' {
		return false
	}
	groups, digits, gap := 0, 0, false
	for i, c := range text {
		switch {
		case c == ':' && i > 0 && text[i-1] == ':':
			if gap {
				return false
			}
			gap = true
		case c == ':':
			digits = 0
		case c == '.': // ::ffff:192.0.2.1, whose last part stands for two groups
			return isIPv4(text[bytes.LastIndexByte(text[:i], ':')+1:]) && (!gap && groups == 7 || gap && groups < 7)
		case '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f':
			if digits++; digits == 1 {
				groups++
			}
			if digits > 4 {
				return false
			}
		default:
			return false
		}
	}
	return !gap && groups == 8 || gap && groups < 8
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
