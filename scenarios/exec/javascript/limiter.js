// A rate limiter for limitgauge: change TokenBucket into your own.
//
// limitgauge starts this program and simulates the time. Each line of standard
// input is a JSON object. The first one is the policy:
//
//     {"policy":{"limit":100,"window_ns":1000000000,"burst":20},"client":0,"clients":1,"seed":1}
//
// Each other one is a request; the program answers it with a line, in the same order:
//
//     {"i":0,"at_ns":0,"key":"a","cost":1}
//     {"i":0,"admit":true}
//
// Print nothing else to standard output (console.log does); console.error is free
// for messages.
"use strict";

// TokenBucket has a bucket for each key, which refills at the limit's rate.
//
// Levels are integers in units of 1/window_ns of a token. A nanosecond refills
// `limit` units and a token is `window_ns` units, so no level is ever rounded.
// They are BigInts, because a Number is exact only up to 2^53.
class TokenBucket {
  constructor(policy) {
    this.rate = BigInt(policy.limit); // units per nanosecond
    this.token = BigInt(policy.window_ns); // units per token
    this.full = BigInt(policy.burst ?? policy.limit) * this.token;
    this.buckets = new Map(); // level and time of the last request, by key
  }

  // take decides a request: true admits it. Use atNs, not the clock.
  take(atNs, key, cost) {
    let b = this.buckets.get(key);
    if (b === undefined) {
      b = { level: this.full, last: atNs };
      this.buckets.set(key, b);
    }
    if (atNs > b.last) {
      b.level += (atNs - b.last) * this.rate;
      if (b.level > this.full) b.level = this.full;
      b.last = atNs;
    }
    const need = cost * this.token;
    if (need > b.level) return false;
    b.level -= need;
    return true;
  }
}

// parse reads a line. Its numbers become strings, for BigInt. No part of a key looks
// like such a member, because JSON writes a quote within a string as \".
function parse(line) {
  return JSON.parse(line.replace(/"(\w+)":(\d+)/g, '"$1":"$2"'));
}

let limiter;
let rest = "";

// Each chunk has many lines. They are answered with one write: several times as
// fast as a line at a time.
process.stdin.setEncoding("utf8");
process.stdin.on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  let answers = "";
  for (const line of lines) {
    const m = parse(line);
    if (limiter === undefined) {
      limiter = new TokenBucket(m.policy);
    } else {
      const admit = limiter.take(BigInt(m.at_ns), m.key, BigInt(m.cost));
      answers += `{"i":${m.i},"admit":${admit}}\n`;
    }
  }
  process.stdout.write(answers);
});
