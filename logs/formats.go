package logs

import "github.com/limitgauge/limitgauge/logs/formats"

// Asked says what is asked of the records of a log: which fields are taken, and
// how they are written.
type Asked = formats.Asked

// Candidate is a field that could have been taken, and the flag that takes it.
type Candidate = formats.Candidate

// Format is a format that Read knows, with the texts that describe it.
type Format = formats.Format

// Formats lists the values of Options.Format.
var Formats = formats.Names

// AllFormats lists all formats, in the order of Formats.
var AllFormats = formats.All
