package hotrow

import (
	"context"
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// Sessions are connections that measurements use one after another, so that no
// measurement has to wait until the server has ended those of the one before.
type Sessions struct {
	scratch *postgres.Scratch
	open    []*postgres.Session
}

// NewSessions returns sessions of a scratch schema. None is open yet.
func NewSessions(scratch *postgres.Scratch) *Sessions { return &Sessions{scratch: scratch} }

// prepare returns n sessions with the settings of a load.
func (s *Sessions) prepare(ctx context.Context, n int, l Load) ([]*postgres.Session, error) {
	for len(s.open) < n {
		session, err := s.scratch.Connect(ctx, l.Isolation)
		if err != nil {
			return nil, err
		}
		s.open = append(s.open, session)
	}
	set := fmt.Sprintf("set default_transaction_isolation = '%s'; reset synchronous_commit", l.Isolation)
	if l.Unflushed {
		set += "; set synchronous_commit = off"
	}
	for _, session := range s.open[:n] {
		if err := session.Exec(ctx, set); err != nil {
			return nil, err
		}
	}
	return s.open[:n], nil
}

// Close ends all connections.
func (s *Sessions) Close() (err error) {
	for _, session := range s.open {
		err = errors.Join(err, session.Close())
	}
	return err
}
