// The workload on a std::priority_queue: argv[1] is the span in seconds, and
// with an argv[2] the sources are of ten shapes instead of all Poisson. Prints
// attempts, admitted and the seconds of wall time that the loop took.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <vector>

#include "shapes.h"

struct arrival {
    double at;
    int source;
    bool operator<(const arrival& o) const { return at > o.at; }
};

// simulate asks next(source, at) for the arrival of a source after one at `at`.
template <class Next> void simulate(double span, Next next) {
    const int64_t token = 20000, room = 4999 * token;
    std::priority_queue<arrival> queue;
    for (int s = 0; s < 100; s++) queue.push({next(s, 0.0), s});
    std::vector<int64_t> admitted(100);
    int64_t missing = 0, last = 0, n = 0, total = 0;
    const auto start = std::chrono::steady_clock::now();
    for (;;) {
        arrival a = queue.top();
        if (a.at >= span) break;
        queue.pop();
        const int64_t now = a.at;
        missing = std::max<int64_t>(missing - (now - last), 0);
        last = now;
        const int64_t charge = token & ~((room - missing) >> 63);
        missing += charge;
        admitted[a.source] += charge;
        n++;
        a.at = next(a.source, a.at);
        queue.push(a);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    for (int64_t a : admitted) total += a / token;
    std::printf("%lld %lld %.9f\n", (long long)n, (long long)total, took.count());
}

int main(int argc, char** argv) {
    const double span = std::atof(argv[1]) * 1e9;
    if (argc > 2) {
        shapes draws;
        std::vector<source> sources;
        for (int s = 0; s < 100; s++) sources.push_back(draws.begin(s % 10));
        simulate(span, [&](int s, double at) { return draws.next(sources[s], at); });
    } else {
        const double mean = 100 * 1e9 / 100000.0;
        std::mt19937_64 bits(1);
        std::exponential_distribution<double> gap(1 / mean);
        simulate(span, [&](int, double at) { return at + gap(bits); });
    }
}
