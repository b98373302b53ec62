package read

import (
	"math"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/check"
)

type stickTable struct {
	check.Position
	name   string
	keys   string // the type
	length int    // bytes of a key that are kept, 0 for all
	holds  int64  // keys, 0 if that is not known
	stores bool
	period int64 // ms
	text   string
	forget int64 // ns, 0 for never
	read   bool
}

var duration = regexp.MustCompile(`^(\d+)(us|ms|s|m|h|d)?$`)

// milliseconds reads a time of HAProxy, without a unit in ms.
func milliseconds(text string) (ms int64, ok bool) {
	m := duration.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	us := map[string]int64{"us": 1, "": 1e3, "ms": 1e3, "s": 1e6, "m": 60e6, "h": 3600e6, "d": 86400e6}[m[2]]
	return n * us / 1000, err == nil && n <= math.MaxInt32*1000/us
}

// kept returns a key as the table keeps it, "" if it does not. A binary table keeps the bytes of an
// address. In a table of addresses, texts are not converted from one version of IP to the other, as
// addresses are, and what follows an IPv4 address in a text, such as a port, is left out.
func (t *stickTable) kept(key string, address bool) string {
	if t.keys == "ip" && !address {
		key = key[:len(key)-len(strings.TrimLeft(key, "0123456789."))]
	}
	a, err := netip.ParseAddr(key)
	if t.keys == "binary" && address && err == nil {
		if net, err := a.Prefix(8 * t.length); err == nil && !net.IsSingleIP() {
			return net.String()
		}
		return key
	}
	if t.length > 0 {
		return key[:min(len(key), t.length)]
	}
	if address {
		a = a.Unmap()
	}
	if err != nil || t.keys != "ipv6" && !a.Is4() || t.keys == "ipv6" && !address && a.Is4() {
		return ""
	}
	return a.String()
}

// never reports whether the table keeps no value of an expression, as none is an address.
func (t *stickTable) never(what string) bool {
	text, constant := strings.CutPrefix(strings.TrimSuffix(what, ")"), "str(")
	texts := constant && t.kept(text, false) == "" || slices.Contains([]string{"path", "url", "method"}, what)
	return texts && t.addresses("") != ""
}

// addresses says which addresses of an expression the table keeps, "" if it keeps all texts.
func (t *stickTable) addresses(what string) string {
	if t.keys != "ip" && isAddress(what) {
		return "an address"
	}
	return map[string]string{"ip": "an IPv4 address", "ipv6": "an IPv6 address"}[t.keys]
}

var storesRate = regexp.MustCompile(`^http_req_rate\((.*)\)$`)

// table reads a stick-table, or a table that peers share.
func (h *haproxy) table(name string, words []string, at check.Position) {
	t := &stickTable{Position: at, name: name}
	if h.tables[name] != nil {
		h.invalid(at, "there are two stick tables %q", name)
		return
	}
	h.tables[name] = t
	sized := false
	for i := 0; i < len(words); i += 2 {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch words[i] {
		case "nopurge", "recv-only":
			i--
		case "brates-factor", "peers", "srvkey", "write-to":
		case "size":
			sized = true
			number := strings.TrimRight(value, "kKmMgG")
			n, _ := strconv.ParseInt(number, 10, 32)
			t.holds = n << map[string]int{"k": 10, "m": 20, "g": 30}[strings.ToLower(value[len(number):])]
		case "type":
			t.keys = value
			t.length = map[string]int{"string": 31, "binary": 32}[t.keys]
		case "len":
			t.length, _ = strconv.Atoi(value)
		case "expire":
			ms, ok := milliseconds(value)
			if !ok {
				h.invalid(at, "expire of the stick table is not a time")
			}
			t.forget = ms * 1e6
		case "store":
			for _, s := range strings.Split(value, ",") {
				m := storesRate.FindStringSubmatch(strings.TrimSpace(s))
				if m == nil {
					if s == "http_req_rate" {
						h.invalid(at, "http_req_rate needs a period")
					}
					continue
				}
				ms, ok := milliseconds(m[1])
				if !ok {
					h.invalid(at, "the period of http_req_rate is not a time of at most 24.8 days")
				}
				if !t.stores { // HAProxy ignores a second one
					t.stores, t.period, t.text = true, ms, m[1]
				}
			}
		default:
			h.invalid(at, "stick-table: unknown argument %q", words[i])
			i = len(words)
		}
	}
	if !sized {
		h.invalid(at, "the stick table has no size")
	}
}
