// Package jobs describes runs of scenario files that any machine can make: what a job
// is, its name, its answer, and who runs it. Sweeps and searches put such jobs into a
// queue; workers take them out. The answer to a job depends on the job and the program
// alone, so it does not matter which worker gives it, or how often.
//
// The package makes no promise: it can change at any time.
package jobs

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
)

// Job is the run of a scenario file.
type Job struct {
	Name     string   `json:"name"`              // for messages, such as the cell of a sweep
	Scenario []byte   `json:"scenario"`          // the text of the file
	Dir      string   `json:"dir"`               // what paths inside the file are relative to, as documents show it
	Logs     []Log    `json:"logs,omitempty"`    // that the file reads
	Rerun    string   `json:"rerun,omitempty"`   // the command that the stamp of the document shows
	Only     int      `json:"only,omitempty"`    // the only replication to run, from 1; 0 means all
	WorstKey bool     `json:"worst,omitempty"`   // add the series of the worst key
	Metrics  []string `json:"metrics,omitempty"` // the only metrics of the answer, without their values by replication; nil means a whole document
	Exec     bool     `json:"exec,omitempty"`    // the file starts programs
	Nonce    string   `json:"nonce,omitempty"`   // tells jobs whose answers must not be taken from an earlier run
}

// Log is an entry of a scenario file that names logs.
type Log struct {
	Name  string   `json:"name"`  // as the file has it, below Dir; a glob stands for all Files
	Files []string `json:"files"` // their names
	Sums  []string `json:"sums"`  // the SHA-256 of each in hexadecimal digits
}

// Key names a job: a SHA-256 of all that its answer depends on.
type Key [sha256.Size]byte

// String returns the key in hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// ParseKey reads the hexadecimal digits of a key.
func ParseKey(text string) (k Key, err error) {
	if n, err := hex.Decode(k[:], []byte(text[:min(len(text), 2*len(k))])); err != nil || n != len(k) || len(text) != 2*len(k) {
		return k, fmt.Errorf("%q is no name of a job", text)
	}
	return k, nil
}

// Key returns the name of the job for a program.
func (j *Job) Key(program Program) Key {
	named := *j
	named.Name = ""
	text, err := json.Marshal(named)
	if err != nil {
		panic(err) // it has texts and numbers alone
	}
	return KeyOf("job, version 1", program.Hash, string(text))
}

// KeyOf returns the hash of texts and of where each one ends.
func KeyOf(parts ...string) Key {
	hash := sha256.New()
	for _, part := range parts {
		hash.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		hash.Write([]byte(part))
	}
	return Key(hash.Sum(nil))
}

// mostText limits the text of a job or an answer, in bytes.
const mostText = 1 << 30

// Encode returns the job in the form in which it travels.
func (j *Job) Encode() ([]byte, error) {
	text, err := json.Marshal(j)
	if err != nil {
		return nil, err
	}
	return Pack(text), nil
}

// Decode reads a job.
func Decode(packed []byte) (*Job, error) {
	text, err := Unpack(packed)
	if err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	j := &Job{}
	if err := json.Unmarshal(text, j); err != nil {
		return nil, fmt.Errorf("job: %w", err)
	}
	return j, nil
}

// Pack compresses a text. Equal texts give equal bytes.
func Pack(text []byte) []byte {
	var out bytes.Buffer
	w, _ := gzip.NewWriterLevel(&out, gzip.BestSpeed) // no error: the level exists, and a buffer takes all
	w.Write(text)
	w.Close()
	return out.Bytes()
}

// Unpack returns a text that Pack has compressed.
func Unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, mostText+1))
	if err == nil && len(text) > mostText {
		err = fmt.Errorf("longer than %d bytes", mostText)
	}
	return text, err
}
