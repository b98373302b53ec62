package read

import (
	"cmp"
	"net/netip"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/check"
)

// haproxyKey returns the key of an expression, and what of it the client chooses.
func haproxyKey(text string) (key check.Key, loose string) {
	if name, _, ok := strings.Cut(text, "("); ok && slices.Contains([]string{"int", "str", "bool"}, name) && !strings.Contains(text, ",") || text == "always_true" {
		return constant(), ""
	}
	fields, values, match := fetched(text)
	if name, argument, _ := strings.Cut(strings.TrimSuffix(text, ")"), "("); slices.Contains([]string{"hdr", "req.hdr", "hdr_ip", "req.hdr_ip"}, name) && !strings.Contains(argument, ")") {
		header, occurrence, _ := strings.Cut(argument, ",")
		return headerKey(header, occurrence, isAddress(text)), "the header " + header
	}
	if values == nil || match != "" || strings.Contains(text, ",") {
		return check.Key{Why: "its key is not read"}, ""
	}
	if !slices.Contains([]string{"client", "method", "target"}, fields[0]) {
		loose = "the " + strings.TrimPrefix(haproxyCounts(text), "each value of the ")
	}
	if strings.HasPrefix(text, "url") && text != "url" {
		loose = "the parameter of the URL"
	}
	return check.Key{Fields: fields, Value: func(field func(string) string) string {
		for _, first := range values(field) {
			return cmp.Or(first, blank)
		}
		return ""
	}}, loose
}

// unknown stands for the fields of an expression that is not read.
const unknown = ""

// fieldsOf returns the fields of a request that an expression takes, before it is converted.
func fieldsOf(text string) []string {
	text, _, _ = strings.Cut(text, ",")
	if key, _ := haproxyKey(text); key.Value != nil {
		return key.Fields
	}
	return []string{unknown}
}

// isAddress reports whether an expression gives an address, not a text.
func isAddress(text string) bool { return text == "src" || strings.Contains(text, "hdr_ip(") }

// headerValues returns the values of a header: commas part them, but in quotes.
func headerValues(text string) (values []string) {
	quoted, from := false, 0
	for i, r := range text + "," {
		quoted = quoted != (r == '"')
		if r == ',' && (!quoted || i == len(text)) {
			values, from = append(values, strings.TrimSpace(text[from:i])), i+1
		}
	}
	return values
}

// headerKey returns the key of one value of a header, the last one without an occurrence.
func headerKey(header, occurrence string, address bool) check.Key {
	if occurrence != "" && occurrence != "-1" && occurrence != "1" {
		return check.Key{Why: "one of several values of a header is not read"}
	}
	name := fieldOfHeader(header)
	return check.Key{Fields: []string{name}, Value: func(field func(string) string) string {
		if field(name) == "" {
			return ""
		}
		values := headerValues(field(name))
		text := values[len(values)-1]
		if occurrence == "1" {
			text = values[0]
		}
		if !address {
			return cmp.Or(text, blank)
		}
		if with, err := netip.ParseAddrPort(text); err == nil && with.Addr().Is4() {
			return with.Addr().String()
		}
		a, err := netip.ParseAddr(text)
		if err != nil || a.Zone() != "" {
			return ""
		}
		return a.String()
	}}
}

// haproxyCounts says what a key counts.
func haproxyCounts(text string) string {
	name, argument, _ := strings.Cut(strings.TrimSuffix(text, ")"), "(")
	counts := fetches[strings.TrimPrefix(name, "req.")].counts
	if counts == "" || strings.Contains(argument, ")") { // a converter follows
		return "each value of " + text
	}
	argument, _, _ = strings.Cut(argument, ",")
	return strings.ReplaceAll(counts, "%s", argument)
}
