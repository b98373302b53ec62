//go:build unix

package redistest

import (
	"bufio"
	"io"
	"net"
	"testing"
)

// Dropping returns the address of a proxy of the server. Each connection passes on
// some replies, and is then closed in place of the next one, whose command the server
// has run. Replies must be of one line, or of two if the first begins with $.
func (s *Server) Dropping(t *testing.T, replies int) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			go s.pass(client, replies)
		}
	}()
	return l.Addr().String()
}

func (s *Server) pass(client net.Conn, replies int) {
	defer client.Close()
	server, err := net.Dial("tcp", s.Address)
	if err != nil {
		return
	}
	defer server.Close()
	go io.Copy(server, client)
	answers := bufio.NewReader(server)
	for n := 0; ; n++ {
		line, err := answers.ReadString('\n')
		if err == nil && line[0] == '$' {
			var rest string
			rest, err = answers.ReadString('\n')
			line += rest
		}
		if err != nil || n == replies {
			return
		}
		io.WriteString(client, line)
	}
}
