package http

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

type options struct {
	method    string
	urls      []address
	headers   []header
	body      targets.Template // nil without a body
	json      bool             // the body is JSON
	rejected  []any            // statuses; nil is the default
	admitted  []any
	field     string
	admits    []any // values of field
	timeoutNs int64
	tls       *tls.Config
	http2     bool
}

// address is a URL as templates.
type address struct {
	path, query targets.Template // path begins with the scheme and the host
	hasQuery    bool
	tls         bool
	host        string
	hostPort    string
}

// header is one header: with a template, or the same for each request.
type header struct {
	name     string
	template targets.Template // nil if fixed
	fixed    string
}

func read(s *targets.Setting, v catalog.Values) (o options, err error) {
	o = options{
		method: v.String("method"), rejected: v.List("rejected"), admitted: v.List("admitted"),
		field: v.String("field"), admits: v.List("field_admits"), timeoutNs: v.Duration("timeout"),
	}
	if (o.field == "") != (len(o.admits) == 0) {
		return o, errors.New("field and field_admits need each other: the field that holds the verdict, and its values that admit")
	}
	if o.urls, err = lists.Try(s.Addresses, func(text string) (address, error) { return readAddress(s, text) }); err != nil {
		return o, err
	}
	if len(o.urls) == 0 {
		return o, errors.New("no URL is given")
	}
	for _, u := range o.urls {
		if err := s.Allowed(u.host); err != nil {
			return o, err
		}
	}
	if body := v.String("body"); body != "" {
		o.json = strings.HasPrefix(body, "{") || strings.HasPrefix(body, "[")
		if o.body, err = s.Template(body); err != nil {
			return o, fmt.Errorf("body: %w", err)
		}
	}
	if err := o.readTLS(v); err != nil {
		return o, err
	}
	return o, o.readHeaders(s, v)
}

// readAddress reads a URL. Its errors contain no credentials.
func readAddress(s *targets.Setting, text string) (a address, err error) {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		var wrong *url.Error
		if errors.As(err, &wrong) {
			err = wrong.Err
		}
		return a, fmt.Errorf("the URL cannot be read: %w; want one such as http://127.0.0.1:8080/", err)
	case u.User != nil:
		return a, errors.New("the URL contains credentials: put them in headers_file or in LIMITGAUGE_HTTP_AUTHORIZATION")
	case u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return a, fmt.Errorf("%q is not a URL that begins with http:// or https:// and a host", text)
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	a.host, a.tls = u.Hostname(), u.Scheme == "https"
	a.hostPort = net.JoinHostPort(u.Hostname(), port)
	text, _, _ = strings.Cut(text, "#")
	path, query, hasQuery := strings.Cut(text, "?")
	a.hasQuery = hasQuery
	var wrong [2]error
	a.path, wrong[0] = s.Template(path)
	a.query, wrong[1] = s.Template(query)
	return a, cmp.Or(wrong[:]...)
}

// secret are headers that usually hold credentials.
var secret = []string{"authorization", "proxy-authorization", "cookie"}

func (o *options) readHeaders(s *targets.Setting, v catalog.Values) error {
	for i, text := range v.List("headers") {
		h, err := readHeader(text.(string))
		if err == nil {
			h.template, err = s.Template(h.fixed)
		}
		if err != nil {
			return fmt.Errorf("headers, element %d: %w", i+1, err)
		}
		if slices.Contains(secret, strings.ToLower(h.name)) && len(h.template) == 1 {
			return fmt.Errorf("headers, element %d: %s holds credentials: put it in headers_file, or in LIMITGAUGE_HTTP_AUTHORIZATION", i+1, h.name)
		}
		o.headers = append(o.headers, h)
	}
	if file := v.String("headers_file"); file != "" {
		text, err := os.ReadFile(file)
		if err != nil {
			return fmt.Errorf("headers_file: %w", err)
		}
		number := 0
		for line := range strings.Lines(string(text)) {
			number++
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			h, err := readHeader(line)
			if err != nil {
				return fmt.Errorf("headers_file, line %d: %w", number, err)
			}
			o.headers = append(o.headers, h)
		}
	}
	if value, ok := s.Lookup("LIMITGAUGE_HTTP_AUTHORIZATION"); ok {
		if !printable(value) {
			return errors.New("LIMITGAUGE_HTTP_AUTHORIZATION contains a control character")
		}
		o.headers = append(o.headers, header{name: "Authorization", fixed: value})
	}
	if o.body == nil && slices.ContainsFunc(o.headers, func(h header) bool {
		return strings.EqualFold(h.name, "Idempotency-Key") || strings.EqualFold(h.name, "X-Idempotency-Key")
	}) && !slices.Contains(bodiless, o.method) {
		return errors.New("headers: a request with an Idempotency-Key needs a body, because net/http may repeat one without")
	}
	isType := func(h header) bool { return strings.EqualFold(h.name, "Content-Type") }
	if o.json && !slices.ContainsFunc(o.headers, isType) {
		o.headers = append(o.headers, header{name: "Content-Type", fixed: "application/json"})
	}
	return nil
}

// readHeader reads a header. Its errors do not contain it.
func readHeader(text string) (h header, err error) {
	name, value, ok := strings.Cut(text, ":")
	if !ok || name == "" || strings.ContainsAny(name, " \t\"(),/;<=>?@[\\]{}") || !printable(text) {
		return h, errors.New("it is not a header such as X-Api-Key: {key}")
	}
	return header{name: name, fixed: strings.TrimSpace(value)}, nil
}

// printable reports whether a text can be part of a header.
func printable(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' && c != '\t' || c == 0x7f })
}
