package formats

import (
	"bytes"
	"net/netip"
)

// IsIP reports whether text is an IPv4 or IPv6 address, without a port or
// brackets.
func IsIP(text []byte) bool {
	if len(text) < 2 || len(text) > 45 {
		return false
	}
	if bytes.IndexByte(text, ':') < 0 {
		return isIPv4(text)
	}
	_, err := netip.ParseAddr(string(text)) // a time of day and a hardware address have colons, too
	return err == nil
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
