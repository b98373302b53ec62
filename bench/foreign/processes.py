"""The workload as SimPy processes, one a source: argv[1] is the span in seconds.
Prints attempts, admitted and the seconds of wall time that the run took. Runs
under SimPy 3 and later, and under 2, which Debian calls python3-simpy."""
import random
import sys
import time

try:
    import simpy
except ImportError:
    simpy = None
    from SimPy import Simulation as simpy2

SPAN, MEAN = float(sys.argv[1]) * 1e9, 100 * 1e9 / 100000.0
TOKEN = 20000
ROOM = 4999 * TOKEN
missing = last = attempts = admitted = 0


def attempt(now):
    global missing, last, attempts, admitted
    missing = max(missing - (now - last), 0)
    last = now
    attempts += 1
    if missing <= ROOM:
        missing += TOKEN
        admitted += 1


def source(env, rng):
    while True:
        yield env.timeout(rng.expovariate(1 / MEAN))
        attempt(int(env.now))


def run(rng):
    env = simpy.Environment()
    for _ in range(100):
        env.process(source(env, rng))
    env.run(until=SPAN)


def run2(rng):
    class Source(simpy2.Process):
        def run(self):
            while True:
                yield simpy2.hold, self, rng.expovariate(1 / MEAN)
                attempt(int(simpy2.now()))

    simpy2.initialize()
    for _ in range(100):
        process = Source()
        simpy2.activate(process, process.run())
    simpy2.simulate(until=SPAN)


start = time.perf_counter()
(run if simpy else run2)(random.Random(1))
print(attempts, admitted, f"{time.perf_counter() - start:.9f}")
