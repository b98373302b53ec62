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

// now is the time of the request in ns. Code that reads the clock reads this one; load
// libraries below. Timers, such as setTimeout, stay in real time.
let now = 0n;
const ms = () => Number(now / 1_000_000n);
globalThis.Date = class extends Date {
  constructor(...args) {
    super(...(args.length ? args : [ms()]));
  }
  static now = ms;
};
performance.now = () => Number(now) / 1e6;

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

  // take decides a request: true admits it. It may return a promise, such as
  //   library.consume(key, Number(cost)).then(() => true, () => false)
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

// Each chunk has many lines. They are answered with one write: several times as
// fast as a line at a time.
async function main() {
  let limiter;
  let rest = "";
  process.stdin.setEncoding("utf8");
  for await (const chunk of process.stdin) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    let answers = "";
    for (const line of lines) {
      const m = parse(line);
      if (limiter === undefined) {
        limiter = new TokenBucket(m.policy);
        continue;
      }
      now = BigInt(m.at_ns);
      let admit = limiter.take(now, m.key, BigInt(m.cost));
      if (typeof admit !== "boolean") admit = await admit;
      answers += `{"i":${m.i},"admit":${admit}}\n`;
    }
    process.stdout.write(answers);
  }
}

main();
