//go:build network

package rls

import (
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"testing"
)

// frames is an HTTP/2 server that counts the messages that arrive and answers none. It
// refuses their streams, which tells a client that it may send them again, or it
// closes the connection.
type frames struct {
	address  string
	messages atomic.Int64
}

const (
	frameData, frameReset, frameSettings, frameHeader = 0, 3, 4, 9 // types, and the length of a header
	refusedStream                                     = 7
)

func newFrames(t *testing.T, what string) *frames {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	s := &frames{address: l.Addr().String()}
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				s.talk(c, what)
			}()
		}
	}()
	return s
}

func (s *frames) talk(c net.Conn, what string) error {
	if _, err := io.CopyN(io.Discard, c, 24); err != nil { // what each client begins with
		return err
	}
	if _, err := c.Write([]byte{0, 0, 0, frameSettings, 0, 0, 0, 0, 0}); err != nil {
		return err
	}
	for {
		head := make([]byte, frameHeader)
		if _, err := io.ReadFull(c, head); err != nil {
			return err
		}
		if _, err := io.CopyN(io.Discard, c, int64(head[0])<<16|int64(head[1])<<8|int64(head[2])); err != nil {
			return err
		}
		var err error
		switch {
		case head[3] == frameSettings && head[4] == 0:
			_, err = c.Write([]byte{0, 0, 0, frameSettings, 1, 0, 0, 0, 0}) // acknowledges
		case head[3] == frameData && head[4]&1 != 0: // the end of a stream
			s.messages.Add(1)
			if what == "reset" {
				return nil
			}
			reset := append([]byte{0, 0, 4, frameReset, 0}, head[5:]...)
			_, err = c.Write(binary.BigEndian.AppendUint32(reset, refusedStream))
		}
		if err != nil {
			return err
		}
	}
}
