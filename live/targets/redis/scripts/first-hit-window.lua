-- Counts in windows that begin with their first request: INCRBY and, on the first
-- hit, PEXPIRE. KEYS: the key. ARGV: limit, window in us, burst (unused), cost.
-- Returns verdict, remaining, and ms until a retry and until the window ends.
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local count = tonumber(redis.call('GET', KEYS[1]) or 0)
local left = math.max(redis.call('PTTL', KEYS[1]), 0)
if cost > limit then
  return {0, limit - count, -1, left}
end
if count + cost > limit then
  return {0, limit - count, left, left}
end
redis.call('INCRBY', KEYS[1], cost)
if count == 0 then
  left = math.ceil(window / 1000)
  redis.call('PEXPIRE', KEYS[1], left)
end
return {1, limit - count - cost, -1, left}
