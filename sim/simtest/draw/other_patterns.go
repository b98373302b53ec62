package draw

// OtherPatterns is a scenario with the patterns that Traffic does not draw, over the
// algorithm mine. Its logs are access.log beside it.
const OtherPatterns = `
version: 1
replications: 2
metrics: full
algorithms:
scenarios:
  - name: drawn
    duration: 2s
    policy: {limit: 30/s, burst: 12}
    topology: {clients: 3}
    traffic:
      - {pattern: pareto, rate_on: 90/s, rate_off: 5/s, mean_on: 100ms, mean_off: 300ms, keys: {uniform: {count: 3}}}
      - {pattern: gamma, rate: 30/s, cv: 4, spread: random}
      - {pattern: random-walk, rate: 30/s, step: 10%, every: 100ms, highest: 2, cost: {uniform: {max: 3}}}
    algorithms: [mine]
  - name: log
    policy: {limit: 2/5s, burst: 3, per: remote_addr}
    topology: {clients: 2, network: 3ms}
    duration: 20s
    traffic: [{pattern: trace, file: access.log, key_field: remote_addr, rebase: true}]
    algorithms: [mine]
  - name: dated log
    policy: {limit: 2/5s, burst: 3, per: remote_addr}
    traffic: [{pattern: trace, file: access.log, key_field: remote_addr}]
    algorithms: [mine]
`
