package formats

import "bytes"

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
)
