package explore

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// mostBody limits the body of a request in bytes.
const mostBody = 256 << 10

// mostPages limits the pages that are remembered, each to end its stale run.
const mostPages = 64

// TokenHeader is the header with the token that only the page of this process knows.
const TokenHeader = "X-Limitgauge-Token"

// Server serves the page of an Explorer. Answers are given only to the page itself: the
// host must be one that the server was started for, the origin must be the page's, and
// each question carries the token of the page.
type Server struct {
	explorer *Explorer
	hosts    map[string]bool // that a request may name, with the port
	token    string
	page     []byte
	policy   string // the content security policy of the page

	mu    sync.Mutex
	pages map[string]*stale // by the name that a page gave itself
	order []string
}

// stale ends a run that a later question of the same page has made stale.
type stale struct{ cancel context.CancelFunc }

// NewServer returns a server of the page at an address. hosts are further names of this
// machine that browsers may use.
func NewServer(e *Explorer, addr net.Addr, hosts []string) (*Server, error) {
	host, port, err := net.SplitHostPort(addr.String())
	if err != nil {
		return nil, err
	}
	s := &Server{explorer: e, hosts: map[string]bool{}, token: rand.Text(), pages: map[string]*stale{}}
	for _, name := range append([]string{host, "localhost"}, hosts...) {
		s.hosts[net.JoinHostPort(name, port)] = true
		if port == "80" {
			s.hosts[name] = true
		}
	}
	if s.page, s.policy, err = newPage(e, s.token); err != nil {
		return nil, err
	}
	return s, nil
}

// Serve serves on a listener until ctx ends, and then ends what still runs.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: 5 * time.Second, ReadTimeout: 10 * time.Second, WriteTimeout: 2*longestRun + 30*time.Second,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) || ctx.Err() == nil {
		return err
	}
	return nil
}

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", s.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("X-Frame-Options", "DENY")
	if !s.hosts[r.Host] {
		fail(w, http.StatusMisdirectedRequest, "this server does not serve the host "+clip(r.Host))
		return
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host {
		fail(w, http.StatusForbidden, "questions come from the page itself, not from "+clip(origin))
		return
	}
	if site := r.Header.Get("Sec-Fetch-Site"); r.Method != http.MethodGet && site != "" && site != "same-origin" {
		fail(w, http.StatusForbidden, "questions come from the page itself")
		return
	}
	switch r.Method + " " + r.URL.Path {
	case "GET /":
		h.Set("Content-Type", "text/html; charset=utf-8")
		w.Write(s.page)
	case "GET /alive":
		w.WriteHeader(http.StatusNoContent)
	case "POST /answer":
		ask(s, w, r, s.explorer.Answer)
	case "POST /curve":
		ask(s, w, r, s.explorer.Curve)
	case "POST /copy":
		ask(s, w, r, s.explorer.Copy)
	default:
		if r.URL.Path == "/" || r.URL.Path == "/alive" || r.URL.Path == "/answer" || r.URL.Path == "/curve" || r.URL.Path == "/copy" {
			fail(w, http.StatusMethodNotAllowed, "the method is not "+clip(r.Method))
			return
		}
		fail(w, http.StatusNotFound, "nothing is here: the page is at /")
	}
}

// ask decodes a question, answers it and encodes the answer. A later question of the same
// page ends it.
func ask[Q, A any](s *Server, w http.ResponseWriter, r *http.Request, answer func(context.Context, Q) (A, error)) {
	if r.Header.Get(TokenHeader) != s.token {
		fail(w, http.StatusForbidden, "the page is of an earlier start of limitgauge: load it again")
		return
	}
	if r.Header.Get("Content-Type") != "application/json" {
		fail(w, http.StatusUnsupportedMediaType, "want application/json")
		return
	}
	var q Q
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, mostBody))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&q); err != nil {
		code := http.StatusBadRequest
		if _, large := errors.AsType[*http.MaxBytesError](err); large {
			code = http.StatusRequestEntityTooLarge
		}
		fail(w, code, "the question cannot be read: "+err.Error())
		return
	}
	ctx, done := s.latest(r)
	defer done()
	a, err := answer(ctx, q)
	refused, isRefused := errors.AsType[*Refused](err)
	switch {
	case isRefused:
		reply(w, http.StatusOK, map[string]any{"problems": refused.Problems}) // an answer, too: browsers log other codes
	case ctx.Err() != nil:
		fail(w, http.StatusConflict, "stale: a later question took its place")
	case err != nil:
		fail(w, http.StatusInternalServerError, err.Error())
	default:
		reply(w, http.StatusOK, a)
	}
}

// latest returns the context of a question. It ends the one of the same page before it.
func (s *Server) latest(r *http.Request) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(r.Context())
	page := r.Header.Get("X-Limitgauge-Page")
	if page == "" || len(page) > 64 {
		return ctx, cancel
	}
	one := &stale{cancel}
	s.mu.Lock()
	defer s.mu.Unlock()
	if before := s.pages[page]; before != nil {
		before.cancel()
	} else {
		s.order = append(s.order, page)
		if len(s.order) > mostPages {
			s.pages[s.order[0]].cancel()
			delete(s.pages, s.order[0])
			s.order = s.order[1:]
		}
	}
	s.pages[page] = one
	return ctx, cancel
}

func reply(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.Encode(v)
}

// fail replies with a problem of the request as a whole.
func fail(w http.ResponseWriter, code int, message string) {
	reply(w, code, map[string]any{"problems": []Problem{{Message: message}}})
}

func clip(text string) string { return fmt.Sprintf("%.80q", text) }
