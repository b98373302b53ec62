package targets

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
)

// Elsewhere is the error of a host that is not on this machine and not allowed.
type Elsewhere struct{ Host string }

func (e *Elsewhere) Error() string {
	if e.Host == "" {
		return "the address names no host"
	}
	return fmt.Sprintf("%s is not on this machine: allow it with --allow %s", e.Host, e.Host)
}

// Allowed returns *Elsewhere for a host that is neither this machine by its name or
// address nor named by Setting.Allow. It looks up no name.
func (s *Setting) Allowed(host string) error {
	address, err := netip.ParseAddr(host)
	if slices.Contains(s.Allow, host) || host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && address.Unmap().IsLoopback() {
		return nil
	}
	return &Elsewhere{host}
}

// Dial connects to an address. It returns *Elsewhere instead of connecting to another
// machine that Setting.Allow does not name. It judges the address that the system is
// about to connect to, so a localhost that resolves to another machine is refused, too.
func (s *Setting) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	var d net.Dialer
	host, _, err := net.SplitHostPort(address)
	if network != "unix" && err == nil {
		if err := s.Allowed(host); err != nil {
			return nil, err
		}
	}
	if network != "unix" && (err != nil || !slices.Contains(s.Allow, host)) {
		d.ControlContext = func(_ context.Context, _, resolved string, _ syscall.RawConn) error {
			to, err := netip.ParseAddrPort(resolved)
			if err != nil || !to.Addr().Unmap().IsLoopback() {
				return &Elsewhere{host}
			}
			return nil
		}
	}
	return d.DialContext(ctx, network, address)
}
