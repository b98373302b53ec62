// The workload on a std::priority_queue: argv[1] is the span in seconds. Prints
// attempts, admitted and the seconds of wall time that the loop took.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <queue>
#include <random>
#include <vector>

struct arrival {
    double at;
    int source;
    bool operator<(const arrival& o) const { return at > o.at; }
};

int main(int, char** argv) {
    const double span = std::atof(argv[1]) * 1e9, mean = 100 * 1e9 / 100000.0;
    const int64_t token = 20000, room = 4999 * token;
    std::mt19937_64 bits(1);
    std::exponential_distribution<double> gap(1 / mean);
    std::priority_queue<arrival> queue;
    for (int s = 0; s < 100; s++) queue.push({gap(bits), s});
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
        a.at += gap(bits);
        queue.push(a);
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    for (int64_t a : admitted) total += a / token;
    std::printf("%lld %lld %.9f\n", (long long)n, (long long)total, took.count());
}
