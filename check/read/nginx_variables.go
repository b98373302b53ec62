package read

import (
	"cmp"
	"net/textproto"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// piece is a part of a word: a text, or a variable.
type piece struct {
	text, variable string
	filled         bool // the variable is not empty here
}

var variables = regexp.MustCompile(`\$(?:\{(\w+)\}|(\w+))`)

// pieces cuts a word into texts and variables.
func pieces(word string) (list []piece) {
	last := 0
	for _, m := range variables.FindAllStringSubmatchIndex(word, -1) {
		if m[0] > last {
			list = append(list, piece{text: word[last:m[0]]})
		}
		name := strings.ToLower(word[max(m[2], m[4]):max(m[3], m[5])])
		list = append(list, piece{variable: name})
		last = m[1]
	}
	if last < len(word) {
		list = append(list, piece{text: word[last:]})
	}
	return list
}

// misnamed reports whether a word has a $ without the name of a variable.
func misnamed(word string) bool { return strings.Contains(variables.ReplaceAllString(word, ""), "$") }

// pieces cuts a word into texts and variables. A variable with one value while limits are
// looked at is a text.
func (x *nginx) pieces(word string) (list []piece) {
	for _, p := range pieces(word) {
		if value, ok := beforeResponse[p.variable]; ok && x.vars[p.variable] == nil {
			p = piece{text: value}
		} else if ofFamily(p.variable, []string{"upstream_", "sent_"}) && x.vars[p.variable] == nil {
			p = piece{}
		}
		if p != (piece{}) {
			list = append(list, p)
		}
	}
	return list
}

func isVariable(p piece) bool { return p.variable != "" }

// families begin the names of variables that nginx and its modules define.
var families = []string{"http_", "arg_", "cookie_", "sent_http_", "sent_trailer_", "upstream_", "ssl_", "geoip_", "geoip2_", "jwt_", "proxy_protocol_", "proxy_", "realip_", "tcpinfo_", "connections_", "time_", "date_"}

// single are further ones.
var single = strings.Fields("args binary_remote_addr body_bytes_sent bytes_sent connection connection_requests connection_time content_length content_type document_root document_uri fastcgi_script_name gzip_ratio host hostname http2 http3 https invalid_referer is_args limit_rate modern_browser msec msie nginx_version pid pipe query_string realpath_root remote_addr remote_port remote_user request request_body request_body_file request_completion request_filename request_id request_length request_method request_time request_uri scheme secure_link server_addr server_name server_port server_protocol session_log_id slice_range spdy status uid_got uid_set uri")

func builtin(name string) bool {
	return slices.Contains(single, name) || ofFamily(name, families) || strings.Trim(name, "0123456789") == ""
}

// ofFamily reports whether a variable begins with one of these.
func ofFamily(name string, families []string) bool {
	return slices.ContainsFunc(families, func(f string) bool { return strings.HasPrefix(name, f) })
}

// unique have another value for each request.
var unique = []string{"request_id", "msec"}

// beforeResponse are the values of variables while limits are looked at, when there is no
// response yet. Those about the upstream and about what is sent are empty, too.
var beforeResponse = map[string]string{"status": "000", "bytes_sent": "0", "body_bytes_sent": "0", "request_completion": "", "gzip_ratio": ""}

// maybeEmpty reports whether a variable is empty for some requests. A text is no variable.
func maybeEmpty(name string) bool {
	return name != "http_host" && ofFamily(name, []string{"http_", "arg_", "cookie_", "geoip", "jwt_", "ssl_", "proxy_protocol"}) ||
		slices.Contains([]string{"args", "query_string", "is_args", "remote_user", "content_type", "content_length", "request_body", "https", "http2", "http3", "invalid_referer", "uid_got", "secure_link"}, name)
}

// chosen returns what of a variable the client chooses, "" if it cannot.
func chosen(name string) string {
	if ofFamily(name, []string{"http_", "arg_", "cookie_"}) ||
		slices.Contains([]string{"args", "query_string", "remote_user", "content_type", "host", "uri", "document_uri", "request_uri", "request", "request_body", "proxy_add_x_forwarded_for", "uid_got", "ssl_session_id"}, name) {
		return described(name)
	}
	return ""
}

// described names what a variable holds.
func described(name string) string {
	if rest, ok := strings.CutPrefix(name, "http_"); ok {
		return "the header " + textproto.CanonicalMIMEHeaderKey(strings.ReplaceAll(rest, "_", "-"))
	}
	if rest, ok := strings.CutPrefix(name, "cookie_"); ok {
		return "the cookie " + rest
	}
	if rest, ok := strings.CutPrefix(name, "arg_"); ok {
		return "the argument " + rest
	}
	return cmp.Or(map[string]string{
		"binary_remote_addr": "client address", "remote_addr": "client address", "realip_remote_addr": "peer address", "server_name": "server", "host": "host", "uri": "path", "document_uri": "path",
		"request_uri": "path and query", "remote_user": "user name", "request_method": "method", "args": "query", "query_string": "query", "server_addr": "server address", "scheme": "scheme",
		"proxy_add_x_forwarded_for": "the header X-Forwarded-For and client address",
	}[name], "$"+name)
}

// counted writes what has a count of its own.
func counted(list []piece) string {
	names := lists.Map(lists.Where(list, isVariable), func(p piece) string { return described(p.variable) })
	switch {
	case len(names) == 0:
		return "all requests together"
	case len(names) == 1 && (strings.HasPrefix(names[0], "the ") || strings.HasPrefix(names[0], "$")):
		return "each value of " + names[0]
	case len(names) == 1:
		return "each " + names[0]
	}
	return "each combination of " + format.List(names, "and")
}

// fieldOf returns the field of a request that a variable depends on.
func fieldOf(name string) string {
	if rest, ok := strings.CutPrefix(name, "http_"); ok && rest != "host" {
		return "header:" + strings.ReplaceAll(rest, "_", "-")
	}
	if rest, ok := strings.CutPrefix(name, "cookie_"); ok {
		return "cookie:" + rest
	}
	if strings.HasPrefix(name, "arg_") {
		return "target"
	}
	return cmp.Or(map[string]string{
		"binary_remote_addr": "client", "remote_addr": "client", "host": "host", "http_host": "host", "uri": "target", "document_uri": "target", "request_uri": "target", "args": "target",
		"query_string": "target", "is_args": "target", "request_method": "method", "remote_user": "user", "server_name": "server",
	}[name], "variable:"+name)
}

// requestValue returns the value of a variable, by the field of the request that it depends
// on.
func requestValue(name, text string) string {
	path, query, asked := strings.Cut(text, "?")
	switch wanted, isArg := strings.CutPrefix(name, "arg_"); {
	case isArg:
		for pair := range strings.SplitSeq(query, "&") {
			if key, value, ok := strings.Cut(pair, "="); ok && strings.EqualFold(key, wanted) {
				return value
			}
		}
		return ""
	case name == "uri" || name == "document_uri":
		return normal(path)
	case name == "args" || name == "query_string":
		return query
	case name == "is_args":
		return map[bool]string{true: "?"}[asked && query != ""]
	case name == "host":
		return strings.ToLower(strings.Split(text, ":")[0])
	}
	return text
}

// normal returns a path as nginx compares it with locations: without escapes, doubled
// slashes and dots.
func normal(target string) string {
	if i := strings.Index(target, "://"); i > 0 && !strings.HasPrefix(target, "/") {
		rest := target[i+3:]
		target = "/"
		if slash := strings.IndexByte(rest, '/'); slash >= 0 {
			target = rest[slash:]
		}
	}
	target, _, _ = strings.Cut(target, "?")
	target, _, _ = strings.Cut(target, "#")
	if decoded, err := url.PathUnescape(target); err == nil {
		target = decoded
	}
	if !strings.Contains(target, "//") && !strings.Contains(target, "/.") {
		return target
	}
	clean, last := path.Clean(target), target[strings.LastIndexByte(target, '/')+1:]
	if strings.Trim(last, ".") == "" && len(last) < 3 && clean != "/" {
		clean += "/"
	}
	return clean
}
