package jobs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// Answer is what a worker says of a job: a document, or why there is none.
type Answer struct {
	Document []byte
	Failure  *Failure
}

// Failure is why a job has no document. It is an error.
type Failure struct {
	Job      string              `json:"job"`                // its name
	Worker   string              `json:"worker"`             // who ran it
	Text     string              `json:"text"`               // of the error
	Problems []scenarios.Problem `json:"problems,omitempty"` // of the scenario file, which cannot run
	Code     int                 `json:"code"`               // the exit code of a command with this error
}

func (f *Failure) Error() string { return fmt.Sprintf("%s, on worker %s: %s", f.Job, f.Worker, f.Text) }

// AsHere returns the error of a round as a run on this machine would.
func AsHere(err error) error {
	if f, ok := errors.AsType[*Failure](err); ok && len(f.Problems) > 0 {
		return &sim.Invalid{Problems: f.Problems}
	}
	return err
}

// header begins the form in which an answer travels. A newline follows it, and then the
// packed text, unless that is somewhere else.
type header struct {
	SHA256    string `json:"sha256"`              // of the text before it was packed
	Failed    bool   `json:"failed,omitempty"`    // the text is a failure
	Elsewhere string `json:"elsewhere,omitempty"` // where the packed text is
}

// Encode returns the answer in the form in which it travels. If it is longer than most
// bytes, put must keep the packed text and return where it is.
func (a Answer) Encode(most int, put func(packed []byte) (where string, err error)) (entry []byte, err error) {
	text, h := a.Document, header{}
	if a.Failure != nil {
		h.Failed = true
		if text, err = json.Marshal(a.Failure); err != nil {
			return nil, err
		}
	}
	sum := sha256.Sum256(text)
	h.SHA256 = hex.EncodeToString(sum[:])
	packed := Pack(text)
	if len(packed) > most {
		if h.Elsewhere, err = put(packed); err != nil {
			return nil, err
		}
		packed = nil
	}
	entry, err = json.Marshal(h)
	return append(append(entry, '\n'), packed...), err
}

// ErrDamaged reports an answer that cannot be read. Another worker must give it again.
var ErrDamaged = errors.New("the answer is damaged")

// DecodeAnswer reads an answer and compares its text with its SHA-256. get returns a
// packed text that is somewhere else. If that is absent, or the answer differs from what
// was written, the error is ErrDamaged.
func DecodeAnswer(entry []byte, get func(where string) (packed []byte, err error)) (a Answer, err error) {
	first, packed, found := bytes.Cut(entry, []byte("\n"))
	var h header
	if err := json.Unmarshal(first, &h); err != nil || !found {
		return a, ErrDamaged
	}
	if again, err := json.Marshal(h); err != nil || !bytes.Equal(again, first) { // a name of a member is damaged
		return a, ErrDamaged
	}
	if h.Elsewhere != "" {
		if packed, err = get(h.Elsewhere); err != nil {
			return a, err
		}
	}
	text, err := Unpack(packed)
	if sum := sha256.Sum256(text); err != nil || hex.EncodeToString(sum[:]) != h.SHA256 {
		return a, ErrDamaged
	}
	if !h.Failed {
		return Answer{Document: text}, nil
	}
	a.Failure = &Failure{}
	if json.Unmarshal(text, a.Failure) != nil {
		return a, ErrDamaged
	}
	return a, nil
}
