// Package jetstream puts jobs into a queue of NATS JetStream, from which workers on other
// machines take them. Everything but this comment is built with the tag network alone.
//
// A stream with work-queue retention holds the jobs, at most one message for each, whose
// subject ends with the job's name. A key-value bucket holds the answers by the same
// names; the first answer stays. The server keeps both in files. What is neither in the
// bucket nor in the stream is put into the stream again, so it does not matter what the
// server, the coordinator or a worker was doing when it was killed.
//
// The package makes no promise: it can change at any time.
package jetstream
