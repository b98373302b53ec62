package jobs

import "fmt"

// Program identifies a program. Programs with equal hashes give equal answers.
type Program struct {
	Version string `json:"version"` // for messages
	System  string `json:"system"`  // for messages, such as linux/amd64
	Hash    string `json:"hash"`    // the SHA-256 of the executable in hexadecimal digits
}

// String describes the program.
func (p Program) String() string {
	return fmt.Sprintf("limitgauge %s for %s, executable %.12s", p.Version, p.System, p.Hash)
}

// Short names the program: the first 16 digits of its hash.
func (p Program) Short() string { return p.Hash[:min(16, len(p.Hash))] }

// Other is the error of a worker that is another program than those whose jobs wait.
type Other struct{ Worker, Wanted Program }

func (e *Other) Error() string {
	return fmt.Sprintf("this worker is %s, but the jobs are for %s: use the same file of limitgauge-live on all machines", e.Worker, e.Wanted)
}
