//go:build !linux

package bounds

import "context"

// overExec is nil where no clock is known that processes share.
var overExec func(context.Context, *studied) (virtual, error)
