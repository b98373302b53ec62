"""A rate limiter for limitgauge: change TokenBucket into your own.

limitgauge starts this program and simulates the time. Each line of standard
input is a JSON object. The first one is the policy:

    {"policy":{"limit":100,"window_ns":1000000000,"burst":20},"client":0,"clients":1,"seed":1}

Each other one is a request; the program answers it with a line, in the same order:

    {"i":0,"at_ns":0,"key":"a","cost":1}
    {"i":0,"admit":true}

Print nothing else to standard output; standard error is free for messages.
"""

import json
import sys


class TokenBucket:
    """A bucket for each key, which refills at the limit's rate.

    Levels are integers in units of 1/window_ns of a token. A nanosecond
    refills `limit` units and a token is `window_ns` units, so no level is
    ever rounded.
    """

    def __init__(self, policy):
        self.rate = policy["limit"]  # units per nanosecond
        self.token = policy["window_ns"]  # units per token
        self.full = policy.get("burst", policy["limit"]) * self.token
        self.buckets = {}  # level and time of the last request, by key

    def take(self, at_ns, key, cost):
        """Decide a request: True admits it. Use at_ns, not the clock."""
        level, last = self.buckets.get(key, (self.full, at_ns))
        if at_ns > last:
            level += (at_ns - last) * self.rate
            if level > self.full:
                level = self.full
            last = at_ns
        admit = cost * self.token <= level
        if admit:
            level -= cost * self.token
        self.buckets[key] = level, last
        return admit


def main():
    first = json.loads(sys.stdin.buffer.readline())
    take = TokenBucket(first["policy"]).take

    # Read what is there, answer all of it, and flush once: several times as
    # fast as a line at a time.
    rest = b""
    while chunk := sys.stdin.buffer.read1(1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        answers = []
        for r in json.loads(b"[%b]" % b",".join(lines)):
            admit = take(r["at_ns"], r["key"], r["cost"])
            answers.append('{"i":%d,"admit":%s}\n' % (r["i"], "true" if admit else "false"))
        sys.stdout.buffer.write("".join(answers).encode())
        sys.stdout.buffer.flush()


main()
