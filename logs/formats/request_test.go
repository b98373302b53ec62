package formats

import "testing"

// TestRequestPart cuts request lines at the last protocol, which a space may follow.
func TestRequestPart(t *testing.T) {
	for _, c := range []struct{ request, target, protocol string }{
		{"GET /a?b HTTP/1.1", "/a?b", "HTTP/1.1"}, {"GET /a", "/a", "-"}, {"GET /a b", "/a b", "-"}, {"GET", "-", "-"},
		{"GET /a HTTP/1.1 b", "/a", "HTTP/1.1 b"}, {"GET /a HTTP/1.0 HTTP/1.1", "/a HTTP/1.0", "HTTP/1.1"}, {"GET  HTTP/1.1", "-", "HTTP/1.1"},
	} {
		target, protocol := requestPart([]byte(c.request), partTarget), requestPart([]byte(c.request), partProtocol)
		if string(target) != c.target || string(protocol) != c.protocol {
			t.Errorf("%q: target %q, protocol %q", c.request, target, protocol)
		}
	}
}
