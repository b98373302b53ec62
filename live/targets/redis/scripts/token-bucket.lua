-- A token bucket, filled continuously, in floating point numbers. KEYS: the key.
-- ARGV: limit, window in us, depth (at least 1), cost. Returns verdict, remaining, and
-- us until a retry and until the bucket is full.
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local depth = math.max(tonumber(ARGV[3]), 1)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local state = redis.call('HMGET', KEYS[1], 'level', 'at')
local level = depth
if state[1] then
  level = math.min(depth, tonumber(state[1]) + math.max(now - tonumber(state[2]), 0) * limit / window)
end
if level < cost then
  local retry = -1
  if cost <= depth then
    retry = math.ceil((cost - level) * window / limit)
  end
  return {0, math.floor(level), retry, math.ceil((depth - level) * window / limit)}
end
level = level - cost
local full = math.ceil((depth - level) * window / limit)
redis.call('HSET', KEYS[1], 'level', level, 'at', now)
redis.call('PEXPIRE', KEYS[1], math.ceil(full / 1000) + 1)
return {1, math.floor(level), -1, full}
