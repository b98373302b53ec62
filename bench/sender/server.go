package main

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// server answers every HTTP request without a body with status 200, and records when
// its first byte arrived. It does no more, to leave the processors to the senders.
type server struct {
	listener net.Listener
	start    time.Time

	mu        sync.Mutex
	arrivedNs []int64 // since start
}

// listen starts a server on this machine.
func listen() (*server, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	s := &server{listener: l, start: time.Now()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // closed
			}
			go s.answer(c)
		}
	}()
	return s, nil
}

func (s *server) url() string { return "http://" + s.listener.Addr().String() + "/" }

// take returns the arrivals since the last call.
func (s *server) take() (arrivedNs []int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	arrivedNs, s.arrivedNs = s.arrivedNs, nil
	return arrivedNs
}

// answer serves a connection until the other side closes it.
func (s *server) answer(c net.Conn) {
	defer c.Close()
	in := bufio.NewReader(c)
	for {
		if _, err := in.Peek(1); err != nil {
			return
		}
		at := int64(time.Since(s.start))
		for length := -1; length != len("\r\n"); {
			line, err := in.ReadSlice('\n')
			if err != nil {
				return
			}
			length = len(line)
		}
		s.mu.Lock()
		s.arrivedNs = append(s.arrivedNs, at)
		s.mu.Unlock()
		if _, err := c.Write([]byte("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")); err != nil {
			return
		}
	}
}
