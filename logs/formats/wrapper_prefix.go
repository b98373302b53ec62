package formats

import (
	"bytes"
	"slices"
)

var pythonLevels = []string{"DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"}

// Text that a tool prints in front of each line of a program's output.
var (
	// stampWrapper is the time that docker logs -t and kubectl logs --timestamps print.
	stampWrapper = wrapper{name: "time", peel: func(line []byte, _ *[]byte) (p peeled, ok bool) {
		stamp, inner, ok := bytes.Cut(line, []byte(" "))
		return peeled{inner: inner, stamp: stamp}, ok && isoStamp(stamp)
	}}
	// composeWrapper is the name of a container: "nginx-1  | ".
	composeWrapper = wrapper{name: "compose", peel: func(line []byte, _ *[]byte) (p peeled, ok bool) {
		name, inner, ok := bytes.Cut(line, []byte(" | "))
		return peeled{inner: inner}, ok && isHost(bytes.TrimRight(name, " "))
	}}
	// podWrapper is what kubectl logs --prefix prints: "[pod/web-0/nginx] ".
	podWrapper = wrapper{name: "kubectl", peel: func(line []byte, _ *[]byte) (p peeled, ok bool) {
		pod, inner, ok := bytes.Cut(line, []byte("] "))
		return peeled{inner: inner}, ok && bytes.HasPrefix(pod, []byte("[pod/"))
	}}
	// pythonWrapper is what Python's logging.basicConfig prints: "INFO:werkzeug:".
	pythonWrapper = wrapper{name: "python", peel: func(line []byte, _ *[]byte) (p peeled, ok bool) {
		level, rest, _ := bytes.Cut(line, []byte(":"))
		_, inner, ok := bytes.Cut(rest, []byte(":"))
		return peeled{inner: inner}, ok && slices.Contains(pythonLevels, string(level))
	}}
	// rubyWrapper is what Ruby's logger prints: "I, [2006-01-02T15:04:05.1 #7]  INFO -- : ".
	rubyWrapper = wrapper{name: "ruby", peel: func(line []byte, _ *[]byte) (p peeled, ok bool) {
		head, rest, ok := bytes.Cut(line, []byte(" -- "))
		if !ok || len(head) < 24 || string(head[1:4]) != ", [" {
			return p, false
		}
		_, inner, ok := bytes.Cut(rest, []byte(": "))
		stamp, _, _ := bytes.Cut(head[4:], []byte(" "))
		return peeled{inner: inner, stamp: stamp}, ok && isoStamp(stamp)
	}}
)
