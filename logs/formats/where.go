package formats

import (
	"bytes"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// partNames lists what the parts of a request are called in formats that do not declare
// their fields, in order of priority. The last ones of the upper two may be a whole
// request line.
var partNames = map[string][]string{
	"method": {"request_method", "http_method", "verb", "req_method", "cs_method", "client_request_method", "request", "req"},
	"path":   {"uri", "request_uri", "request_path", "url", "target", "req_path", "cs_uri_stem", "client_request_path", "client_request_uri", "x_envoy_origin_path", "request", "req"},
	"host":   {"vhost", "server_name", "http_host", "authority", ":authority", "domain", "domain_name", "request_host", "client_request_host", "x-host-header", "cs(Host)"},
	"status": statusNames,
}

// first returns the first field of a file that one of several names means, or "".
func (d defaults) first(names ...string) string {
	for _, name := range names {
		if own, ok := d.has(name); ok {
			return own
		}
	}
	return ""
}

// field returns the field that has a part of requests, or any other one, "" if there is
// none. loose reports that it has none of the names.
func (d defaults) field(part string) (own string, loose bool) {
	names := append([]string{part}, partNames[part]...)
	if own = d.first(names...); own != "" {
		return own, false
	}
	if own = d.loosely(names...); own == "" && part == "host" && d.values != nil {
		own = d.hostInURL()
	}
	return own, own != part
}

// loosely returns what part finds.
func (d defaults) loosely(names ...string) string {
	if d.part == nil {
		return ""
	}
	return d.part(names)
}

// hostInURL returns the field whose values are URLs, or request lines with them, or "".
func (d defaults) hostInURL() string {
	names := append([]string{"path"}, partNames["path"]...)
	for _, own := range append(lists.Map(names, func(name string) string { return d.first(name) }), d.loosely(names...)) {
		if own == "" {
			continue
		}
		values := lists.Where(d.values(own), Present)
		n := lists.Count(values, func(v []byte) bool {
			return bytes.Contains(v, []byte("://")) || bytes.IndexByte(v, ':') > 0 && isHost(v) // of CONNECT
		})
		if n > 0 && 2*n >= len(values) {
			return own
		}
	}
	return ""
}

// part returns the first field that has one of the names of a part of requests as the
// last word of its path, in any spelling, or "". The status of a response is a number.
func (k known) part(names []string) string {
	if len(names) == 1 {
		return "" // it is no part of requests
	}
	fields := lists.Where(k.names, func(own string) bool {
		lower := strings.ToLower(own)
		return own != k.host && !strings.Contains(lower, "file") && !slices.ContainsFunc(serverParts, func(p string) bool { return strings.Contains(lower, p) })
	})
	for _, name := range names {
		for _, own := range fields {
			if last := own[strings.LastIndexByte(own, '.')+1:]; !strings.EqualFold(bare(last), bare(name)) {
				continue
			}
			if !slices.Contains(statusNames, name) || slices.ContainsFunc(lists.Where(k.values(own), Present), isStatus) {
				return own
			}
		}
	}
	return ""
}

// condition is what Asked.Where says of one field: a record fits if one of the patterns
// is that of its value.
type condition struct {
	field    int // of the layout
	part     string
	kind     kind
	in       string // the name of the field if that is none of partNames, else ""
	patterns []string
}

// cutCondition cuts a condition such as path=/login* at its first =.
func cutCondition(where string) (field, pattern string, ok bool) {
	field, pattern, ok = strings.Cut(where, "=")
	return field, pattern, ok && field != "" && pattern != ""
}

// WrongCondition returns the first condition of Where that names no field or no pattern,
// or "".
func (o *Asked) WrongCondition() string {
	i := slices.IndexFunc(o.Where, func(where string) bool { _, _, ok := cutCondition(where); return !ok })
	if i < 0 {
		return ""
	}
	return o.Where[i]
}

// conditions returns the conditions on the fields of a file that offers d. named returns
// a field's number. missing is the first field that the file does not have.
func (o *Asked) conditions(d defaults, named func(name string) int) (list []condition, missing string) {
	for _, where := range o.Where {
		part, pattern, _ := cutCondition(where)
		i := slices.IndexFunc(list, func(c condition) bool { return c.part == part })
		if i < 0 {
			own, loose := d.field(part)
			if own == "" {
				return nil, part
			}
			c := condition{part: part, kind: partKind(part)}
			if loose {
				c.in = own
			}
			c.field = named(own)
			i, list = len(list), append(list, c)
		}
		list[i].patterns = append(list[i].patterns, pattern)
	}
	return list, ""
}

// Conditions names the conditions on a file's records, as Asked.Where has them.
func (l *Layout) Conditions() string {
	var list []string
	for _, c := range l.where {
		list = append(list, lists.Map(c.patterns, func(pattern string) string { return c.part + "=" + pattern })...)
		if c.in != "" {
			list[len(list)-1] += " in " + c.in
		}
	}
	return strings.Join(list, ", ")
}

// Fits reports whether a record has the values that Asked.Where wants.
func (l *Layout) Fits(fields [][]byte) bool {
	for _, c := range l.where {
		if value := string(c.kind.Clean(fields[c.field])); !slices.ContainsFunc(c.patterns, func(pattern string) bool { return c.fits(pattern, value) }) {
			return false
		}
	}
	return true
}

// fits reports whether a value is a pattern's. A path without a wildcard is a prefix, as
// a location of nginx is. A host may have a port that the pattern does not name.
func (c condition) fits(pattern, value string) bool {
	if port := strings.LastIndexByte(value, ':'); c.kind == hostPart && port > 0 && (value[port-1] == ']' || strings.IndexByte(value, ':') == port) && catalog.Matches(pattern, value[:port]) {
		return true
	}
	if c.kind == pathPart && !strings.Contains(pattern, catalog.Wildcard) {
		return strings.HasPrefix(value, pattern)
	}
	return catalog.Matches(pattern, value)
}
