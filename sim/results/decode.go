package results

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
)

// MaxBytes is the largest size of a document that Decode reads.
const MaxBytes = 1 << 30

// SchemaError reports a document with a schema version that this program does
// not read.
type SchemaError struct {
	Got, Want int
}

func (e *SchemaError) Error() string {
	text := fmt.Sprintf("results document has schema_version %d, this program reads %d", e.Got, e.Want)
	if e.Got < e.Want {
		text += ": simulate its scenarios again"
	}
	return text
}

// Decode reads a document that Encode wrote. It returns an error for any other schema
// version (a *SchemaError), for data after the document, for more than MaxBytes, and for
// every document that Check rejects or whose figures do not follow from its values. It
// ignores unknown fields: the schema version changes if readers must change, so documents
// of later program versions stay readable.
func Decode(r io.Reader) (*Document, error) {
	return decode(r, MaxBytes)
}

// scenarioFile is a line of a scenario file, with which it can begin.
var scenarioFile = regexp.MustCompile(`(?m)^\x{feff}?"?scenarios"?:`)

func decode(r io.Reader, limit int64) (*Document, error) {
	text, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	if int64(len(text)) > limit {
		return nil, fmt.Errorf("read results: document is larger than %d bytes", limit)
	}
	// Fields of another schema version may have other types, so the version is
	// read first.
	var head struct {
		SchemaVersion *int   `json:"schema_version"`
		Kind          string `json:"kind"` // of the answer of a search, which has versions of its own
	}
	if err := json.Unmarshal(text, &head); err != nil {
		if scenarioFile.Match(text) {
			return nil, errors.New("read results: a scenario file: limitgauge run and limitgauge gate read it")
		}
		return nil, fmt.Errorf("read results: %w", located(text, err))
	}
	if head.SchemaVersion == nil {
		return nil, errors.New("read results: no schema_version: not a results document")
	}
	if head.Kind != "" {
		return nil, fmt.Errorf("read results: the answer of %s: not a results document", head.Kind)
	}
	if *head.SchemaVersion != SchemaVersion {
		return nil, &SchemaError{Got: *head.SchemaVersion, Want: SchemaVersion}
	}
	var d Document
	if err := json.Unmarshal(text, &d); err != nil {
		return nil, fmt.Errorf("read results: %w", located(text, err))
	}
	if d.Stamp.Kind == KindSweep {
		return nil, errors.New("read results: the document of a sweep: limitgauge report and limitgauge merge read it")
	}
	if err := d.Check(); err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	if err := cmp.Or(d.checkDerived(), d.checkTogether()); err != nil {
		return nil, fmt.Errorf("read results: %w", err)
	}
	return &d, nil
}

// located adds the line of a JSON error to its message.
func located(text []byte, err error) error {
	offset := int64(-1)
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		offset = syntax.Offset
	} else if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		offset = kind.Offset
	}
	if offset < 0 || offset > int64(len(text)) {
		return err
	}
	line := 1 + bytes.Count(text[:offset], []byte("\n"))
	return fmt.Errorf("line %d: %w", line, err)
}
