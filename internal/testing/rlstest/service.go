//go:build unix

// Package rlstest starts rate limit services of envoyproxy/ratelimit for tests.
package rlstest

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/internal/testing/redistest"
)

// Version is the version of github.com/envoyproxy/ratelimit that tests were written
// with. `go install github.com/envoyproxy/ratelimit/src/service_cmd@VERSION` installs
// it.
const Version = "v1.4.1-0.20260122083618-3fb702589d36"

// Start starts replicas of the service that count in a Redis server, with a
// configuration in YAML. It returns their addresses. It skips the test if the service
// or Redis is not installed.
func Start(t *testing.T, store *redistest.Server, replicas int, config string) (addresses []string) {
	t.Helper()
	program := foreground.Need(t, "service_cmd")
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "config"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "config", "limits.yaml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	for range replicas {
		c := exec.Command(program)
		grpc, http, debug := foreground.FreePort(t), foreground.FreePort(t), foreground.FreePort(t)
		c.Env = append(os.Environ(), "REDIS_SOCKET_TYPE=tcp", "REDIS_URL="+store.Address, "USE_STATSD=false", "LOG_LEVEL=warn",
			"RUNTIME_ROOT="+root, "RUNTIME_SUBDIRECTORY=", "RUNTIME_WATCH_ROOT=false", "RUNTIME_IGNOREDOTFILES=true")
		for name, address := range map[string]string{"GRPC": grpc, "": http, "DEBUG": debug} {
			host, port, _ := net.SplitHostPort(address)
			prefix := name
			if name != "" {
				prefix += "_"
			}
			c.Env = append(c.Env, fmt.Sprintf("%sHOST=%s", prefix, host), fmt.Sprintf("%sPORT=%s", prefix, port))
		}
		foreground.Serve(t, c, syscall.SIGTERM, grpc)
		addresses = append(addresses, grpc)
	}
	return addresses
}
