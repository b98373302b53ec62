package logs

import "github.com/limitgauge/limitgauge/logs/text"

// Error describes why traffic could not be read.
type Error = text.Error

// Foreign is the error of a file that another program must decode.
type Foreign = text.Foreign

// The reasons of an Error. They determine a command's exit code.
const (
	BadOptions = text.BadOptions
	BadInput   = text.BadInput
	Failure    = text.Failure
)
