package logs

import "github.com/limitgauge/limitgauge/logs/text"

// Error describes why traffic could not be read.
type Error = text.Error

// Zstd is the error of a file that is compressed with zstd.
type Zstd = text.Zstd

// The reasons of an Error. They determine a command's exit code.
const (
	BadOptions = text.BadOptions
	BadInput   = text.BadInput
	Failure    = text.Failure
)
