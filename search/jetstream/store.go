//go:build network

package jetstream

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/limitgauge/limitgauge/search/jobs"
)

// The names of what the server keeps. Subjects of jobs are
// limitgauge.jobs.KIND.PROGRAM.GROUP.JOB, and keys of answers PROGRAM.GROUP.JOB.
const (
	streamName = "limitgauge-jobs"
	prefix     = "limitgauge.jobs."
	answers    = "limitgauge-answers"
	objects    = "limitgauge-objects"
	answersOn  = "$KV." + answers + "."
)

// kept is how long the server keeps what nobody has removed.
const kept = 7 * 24 * time.Hour

// mostInline is the largest packed text of a job or an answer in a message. Larger ones
// are objects. Servers take messages of 1 MB unless told otherwise.
const mostInline = 256 << 10

// codePerSubject is the server's code for a job that is in the stream already.
const codePerSubject jetstream.ErrorCode = 10077

// kind separates jobs that start programs from those that do not, because not every
// worker takes them.
func kind(exec bool) string {
	if exec {
		return "exec"
	}
	return "plain"
}

// store is what the server keeps.
type store struct {
	*connection
	stream  jetstream.Stream
	answers jetstream.KeyValue
	objects jetstream.ObjectStore
	backing jetstream.Stream // of the answers
}

// open finds what the server keeps. With create, it makes what is missing. What exists is
// left as it is, so that operators can set replicas and limits of their own.
func open(ctx context.Context, c *connection, create bool) (*store, error) {
	s := &store{connection: c}
	err := c.patient(ctx, func(ctx context.Context) (err error) {
		s.stream, err = c.js.Stream(ctx, streamName)
		if errors.Is(err, jetstream.ErrStreamNotFound) && create {
			s.stream, err = c.js.CreateStream(ctx, jetstream.StreamConfig{
				Name: streamName, Description: "jobs of limitgauge that no worker has finished", Subjects: []string{prefix + ">"},
				Retention: jetstream.WorkQueuePolicy, Storage: jetstream.FileStorage, MaxAge: kept,
				MaxMsgsPerSubject: 1, Discard: jetstream.DiscardNew, DiscardNewPerSubject: true,
			})
		}
		if err != nil {
			return err
		}
		s.answers, err = c.js.KeyValue(ctx, answers)
		if errors.Is(err, jetstream.ErrBucketNotFound) && create {
			s.answers, err = c.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{
				Bucket: answers, Description: "answers to jobs of limitgauge", History: 1, TTL: kept, Storage: jetstream.FileStorage,
			})
		}
		if err != nil {
			return err
		}
		s.objects, err = c.js.ObjectStore(ctx, objects)
		if errors.Is(err, jetstream.ErrBucketNotFound) && create {
			s.objects, err = c.js.CreateObjectStore(ctx, jetstream.ObjectStoreConfig{
				Bucket: objects, Description: "logs, and large jobs and answers of limitgauge", TTL: kept, Storage: jetstream.FileStorage,
			})
		}
		if err != nil {
			return err
		}
		s.backing, err = c.js.Stream(ctx, "KV_"+answers)
		return err
	})
	if err != nil {
		return nil, c.named(err)
	}
	return s, nil
}

// missing reports whether an error is that of something which the server does not keep.
func missing(err error) bool {
	return isOneOf(err, jetstream.ErrStreamNotFound, jetstream.ErrBucketNotFound, jetstream.ErrConsumerNotFound, jetstream.ErrConsumerDoesNotExist,
		jetstream.ErrConsumerDeleted, jetstream.ErrNoStreamResponse, nats.ErrNoResponders)
}

// consumer returns the consumer of a program's jobs. With create, it makes or changes it.
func (s *store) consumer(ctx context.Context, kind string, p jobs.Program, silence time.Duration, create bool) (jetstream.Consumer, error) {
	name := kind + "-" + p.Short()
	if !create {
		return s.js.Consumer(ctx, streamName, name)
	}
	return s.js.CreateOrUpdateConsumer(ctx, streamName, jetstream.ConsumerConfig{
		Durable: name, FilterSubject: prefix + kind + "." + p.Short() + ".>", AckPolicy: jetstream.AckExplicitPolicy, AckWait: silence,
		MaxDeliver: -1, MaxAckPending: 100_000, MaxWaiting: 8192, InactiveThreshold: kept,
	})
}

// answer returns the answer to a job, and false if there is none. A damaged answer is
// removed.
func (s *store) answer(ctx context.Context, key string) (a jobs.Answer, there bool, err error) {
	entry, err := s.answers.Get(ctx, key)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return a, false, nil
	}
	if err != nil {
		return a, false, err
	}
	a, err = jobs.DecodeAnswer(entry.Value(), func(where string) ([]byte, error) {
		text, err := s.objects.GetBytes(ctx, where)
		if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jetstream.ErrDigestMismatch) {
			err = jobs.ErrDamaged
		}
		return text, err
	})
	if errors.Is(err, jobs.ErrDamaged) {
		return a, false, s.forget(ctx, key)
	}
	return a, err == nil, err
}

// put writes the answer to a job, unless there is one.
func (s *store) put(ctx context.Context, key string, a jobs.Answer) error {
	var own string
	entry, err := a.Encode(mostInline, func(packed []byte) (string, error) {
		own = "answer-" + key + "-" + nats.NewInbox()[len(nats.InboxPrefix):] // of this worker alone
		_, err := s.objects.PutBytes(ctx, own, packed)
		return own, err
	})
	if err != nil {
		return err
	}
	_, err = s.answers.Create(ctx, key, entry)
	if errors.Is(err, jetstream.ErrKeyExists) {
		if own != "" {
			s.objects.Delete(ctx, own)
		}
		return nil
	}
	return err
}

// forget removes an answer, so that another one can be written.
func (s *store) forget(ctx context.Context, key string) error {
	return s.backing.Purge(ctx, jetstream.WithPurgeSubject(answersOn+key))
}

// queued returns the names of the jobs in the stream whose subjects begin with a text.
func (s *store) queued(ctx context.Context, subjects string) (map[jobs.Key]bool, error) {
	return names(ctx, s.stream, subjects+".>")
}

// answered returns the names of the jobs with an answer whose keys begin with a text.
func (s *store) answered(ctx context.Context, keys string) (map[jobs.Key]bool, error) {
	return names(ctx, s.backing, answersOn+keys+".>")
}

// names returns the jobs that end the subjects of a stream's messages.
func names(ctx context.Context, stream jetstream.Stream, filter string) (map[jobs.Key]bool, error) {
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(filter))
	if err != nil {
		return nil, err
	}
	keys := make(map[jobs.Key]bool, len(info.State.Subjects))
	for subject := range info.State.Subjects {
		if k, err := jobs.ParseKey(subject[strings.LastIndexByte(subject, '.')+1:]); err == nil {
			keys[k] = true
		}
	}
	return keys, nil
}

// publish puts a job into the stream, unless it is there.
func (s *store) publish(ctx context.Context, subject string, j *jobs.Job) error {
	text, err := j.Encode()
	if err != nil {
		return err
	}
	m := &nats.Msg{Subject: subject, Data: text}
	if len(text) > mostInline {
		name := "job-" + subject[strings.LastIndexByte(subject, '.')+1:]
		if _, err := s.objects.PutBytes(ctx, name, text); err != nil {
			return err
		}
		m.Data, m.Header = nil, nats.Header{"Object": {name}}
	}
	_, err = s.js.PublishMsg(ctx, m, jetstream.WithRetryAttempts(0))
	if api, ok := errors.AsType[*jetstream.APIError](err); ok && api.ErrorCode == codePerSubject {
		return nil
	}
	return err
}

// job reads a job from a message.
func (s *store) job(ctx context.Context, m jetstream.Msg) (*jobs.Job, error) {
	text := m.Data()
	if name := m.Headers().Get("Object"); name != "" {
		var err error
		if text, err = s.objects.GetBytes(ctx, name); err != nil {
			return nil, fmt.Errorf("job: %w", err)
		}
	}
	return jobs.Decode(text)
}

// errChanged reports a log that is not the one that the command has checked.
var errChanged = errors.New("the log has changed since the command began: run it again")

// putLog keeps a log, unless it is there.
func (s *store) putLog(ctx context.Context, path, sum string) error {
	name := "log-" + sum
	info, err := s.objects.GetInfo(ctx, name)
	if err == nil && digest(info) == sum {
		return nil
	}
	if err != nil && !errors.Is(err, jetstream.ErrObjectNotFound) {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err = s.objects.Put(ctx, jetstream.ObjectMeta{Name: name, Description: "a log"}, f)
	if err == nil && digest(info) != sum {
		err = fmt.Errorf("%s: %w", path, errChanged)
	}
	return err
}

// digest returns the SHA-256 of an object in hexadecimal digits.
func digest(info *jetstream.ObjectInfo) string {
	_, text, _ := strings.Cut(info.Digest, "=")
	sum, _ := base64.URLEncoding.DecodeString(text)
	return hex.EncodeToString(sum)
}

// log writes a log.
func (s *store) log(ctx context.Context, sum string, to io.Writer) error {
	object, err := s.objects.Get(ctx, "log-"+sum)
	if err != nil {
		return err
	}
	defer object.Close()
	_, err = io.Copy(to, object)
	return errors.Join(err, object.Error())
}
