"""The workload as SimPy processes, one a source: argv[1] is the span in seconds.
Prints attempts, admitted and the seconds of wall time that the run took."""
import random
import sys
import time

import simpy

SPAN, MEAN = float(sys.argv[1]) * 1e9, 100 * 1e9 / 100000.0
TOKEN = 20000
ROOM = 4999 * TOKEN
missing = last = attempts = admitted = 0


def source(env, rng):
    global missing, last, attempts, admitted
    while True:
        yield env.timeout(rng.expovariate(1 / MEAN))
        now = int(env.now)
        missing = max(missing - (now - last), 0)
        last = now
        attempts += 1
        if missing <= ROOM:
            missing += TOKEN
            admitted += 1


env = simpy.Environment()
rng = random.Random(1)
for _ in range(100):
    env.process(source(env, rng))
start = time.perf_counter()
env.run(until=SPAN)
print(attempts, admitted, f"{time.perf_counter() - start:.9f}")
