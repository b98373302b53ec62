// Sources of ten shapes, 1,000/s each on average, by the distributions of the
// standard library and the plainest arithmetic that has the shape.
#include <cmath>
#include <random>

struct source {
    int shape;
    long sent = 0;             // of the evenly spaced
    bool on = false;           // of those that switch
    double until = 0;          // the end of this state, or of this rate
    double level = 1;          // of the random walk, times the rate
};

class shapes {
    static constexpr double gap = 1e6, second = 1e9, period = 10 * second;
    std::mt19937_64 bits{1};
    std::exponential_distribution<double> exponential{1};
    std::uniform_real_distribution<double> uniform{0, 1};
    std::gamma_distribution<double> gamma{1.0 / 9, 9}; // a variation of 3

    static double sine(double t) { return 1 + 0.5 * std::sin(2 * M_PI / period * t); }

    // Poisson at twice the rate while on.
    template <class Stay> double switching(source& s, double at, Stay stay) {
        for (;;) {
            if (s.on) {
                at += exponential(bits) * gap / 2;
                if (at < s.until) return at;
            }
            at = s.until;
            s.on = !s.on;
            s.until += stay();
        }
    }

public:
    source begin(int shape) {
        source s;
        s.shape = shape;
        s.on = (shape == 6 || shape == 8) && uniform(bits) < 0.5; // turned at once
        if (shape == 9) s.until = 10 * second;
        return s;
    }

    // next is when the arrival after one at `at` comes.
    double next(source& s, double at) {
        switch (s.shape) {
        case 0: // Poisson
            return at + exponential(bits) * gap;
        case 1: // constant
            return s.sent++ * gap;
        case 2: // constant, jittered
            return (s.sent++ + uniform(bits)) * gap;
        case 3: // gamma
            return at + gamma(bits) * gap;
        case 4: // sine, Poisson, thinned
            do at += exponential(bits) * gap / 1.5;
            while (uniform(bits) * 1.5 >= sine(at));
            return at;
        case 5: // sine, spaced: the rate half a gap ahead stands for the integral
            return at + gap / sine(at + gap / 2);
        case 6: // bursty
            return switching(s, at, [&] { return exponential(bits) * second; });
        case 7: // square, Poisson
            return switching(s, at, [&] { return second; });
        case 8: // pareto of shape 1.5
            return switching(s, at, [&] { return second / 3 * std::pow(1 - uniform(bits), -1 / 1.5); });
        default: // random walk of 10 % each 10 s
            for (;;) {
                at += exponential(bits) * gap / s.level;
                if (at < s.until) return at;
                at = s.until;
                s.until += 10 * second;
                s.level += uniform(bits) < 0.5 ? -0.1 : 0.1;
                if (s.level < 0.1) s.level = 0.2;
            }
        }
    }
};
