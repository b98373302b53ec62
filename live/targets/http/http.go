package http

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/targets"
	"github.com/limitgauge/limitgauge/logs/jsontext"
)

// target is an HTTP server, or several.
type target struct {
	options
	clients []*http.Transport // by client; each has its connections
}

// open connects to each URL once, so that a server that cannot be reached, is not
// allowed or has no valid certificate is found before the run. It sends no request.
func open(ctx context.Context, s *targets.Setting, o options) (exchange.Target, error) {
	for i := range o.urls {
		if err := o.reach(ctx, s, &o.urls[i]); err != nil {
			return nil, fmt.Errorf("connect to %s: %w", o.urls[i].hostPort, err)
		}
	}
	t := &target{options: o}
	for range s.Clients {
		t.clients = append(t.clients, o.transport(s))
	}
	return t, nil
}

// Ask implements exchange.Target. The time of the answer is after the end of its body.
func (t *target) Ask(ctx context.Context, r *exchange.Request) (exchange.Answer, error) {
	none := exchange.Plain(false)
	ctx, cancel := context.WithTimeout(ctx, time.Duration(t.timeoutNs))
	defer cancel()
	request, err := t.request(ctx, r)
	if err != nil {
		return none, err
	}
	response, err := t.clients[int(r.Client)%len(t.clients)].RoundTrip(request)
	if err != nil {
		return none, targets.FailureOf(err, "connection failed")
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	if err != nil {
		return none, targets.FailureOf(err, "body not readable")
	}
	return t.verdict(response, body)
}

// maxBody is the number of bytes that are read of a body.
const maxBody = 1 << 20

// request returns the HTTP request of a request.
func (t *target) request(ctx context.Context, r *exchange.Request) (*http.Request, error) {
	u := &t.urls[int(r.Client)%len(t.urls)]
	text := u.path.Of(escaped(r, url.PathEscape))
	if u.hasQuery {
		text += "?" + u.query.Of(escaped(r, url.QueryEscape))
	}
	request, err := http.NewRequestWithContext(ctx, t.method, text, nil)
	if err != nil {
		return nil, targets.Failure("no valid URL or method")
	}
	for i := range t.headers {
		h := &t.headers[i]
		value := h.fixed
		if h.template != nil {
			value = h.template.Of(r)
		}
		isHost := strings.EqualFold(h.name, "Host")
		switch {
		case !printable(value), isHost && strings.ContainsAny(value, " /\\@?#"):
			return nil, targets.Failure("key not valid in a header")
		case isHost:
			request.Host = value
		default:
			request.Header.Add(h.name, value)
		}
	}
	return request, t.setBody(request, r)
}

// setBody sets the body. A body without a way to read it twice keeps net/http from
// repeating a request whose connection breaks or, with HTTP/2, that the server refuses.
// So requests with methods that it repeats have such a body even if it is empty. Nothing
// of it is sent, but for an empty frame with HTTP/2.
func (t *target) setBody(request *http.Request, r *exchange.Request) error {
	text := ""
	switch {
	case t.body == nil:
	case !t.json:
		text = t.body.Of(r)
	case !utf8.ValidString(r.Key) || !utf8.ValidString(r.Tenant):
		return targets.Failure("key not valid in JSON")
	default:
		text = t.body.Of(escaped(r, inJSON))
	}
	if text == "" && !t.http2 && !slices.Contains(bodiless, t.method) {
		return nil
	}
	request.Body = io.NopCloser(strings.NewReader(text))
	request.ContentLength = int64(len(text))
	return nil
}

// bodiless are methods whose requests usually have no body. net/http sends no header
// about the length of an empty one.
var bodiless = []string{"GET", "HEAD", "DELETE", "OPTIONS"}

// escaped returns a request whose names are escaped for a part of an HTTP request.
func escaped(r *exchange.Request, escape func(string) string) *exchange.Request {
	e := *r
	e.Key, e.Tenant = escape(r.Key), escape(r.Tenant)
	return &e
}

// inJSON escapes a text for a string in JSON.
func inJSON(text string) string {
	b, _ := json.Marshal(text) // cannot fail
	return string(b[1 : len(b)-1])
}

// verdict reads a response.
func (t *target) verdict(response *http.Response, body []byte) (exchange.Answer, error) {
	a := exchange.Plain(false)
	readPromises(&a, response.Header)
	status := response.StatusCode
	switch {
	case t.rejects(status, response.Header.Get("Retry-After") != ""):
		retryAtReset(&a)
		return a, nil
	case !t.admitsStatus(status):
		return a, targets.Failure(fmt.Sprintf("status %d", status))
	case t.field == "":
		a.Admit = true
		return a, nil
	}
	value, ok := jsontext.Field(body, t.field)
	if !ok {
		return a, targets.Failure("body without a verdict")
	}
	if a.Admit = slices.Contains(t.admits, any(string(value))); !a.Admit {
		retryAtReset(&a)
	}
	return a, nil
}

func (o *options) rejects(status int, retryAfter bool) bool {
	if o.rejected != nil {
		return slices.Contains(o.rejected, any(int64(status)))
	}
	return status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable && retryAfter
}

func (o *options) admitsStatus(status int) bool {
	if o.admitted != nil {
		return slices.Contains(o.admitted, any(int64(status)))
	}
	return status >= 200 && status <= 299
}

// Close implements exchange.Target.
func (t *target) Close() error {
	for _, c := range t.clients {
		c.CloseIdleConnections()
	}
	return nil
}
