-- Counts per calendar window of the server's clock. KEYS: the key. ARGV: limit,
-- window in us, burst (unused), cost. Returns verdict, remaining, and us until a
-- retry and until the window ends.
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local begin = now - now % window
local left = begin + window - now
local state = redis.call('HMGET', KEYS[1], 'begin', 'count')
local count = 0
if tonumber(state[1]) == begin then
  count = tonumber(state[2])
end
if cost > limit then
  return {0, limit - count, -1, left}
end
if count + cost > limit then
  return {0, limit - count, left, left}
end
redis.call('HSET', KEYS[1], 'begin', begin, 'count', count + cost)
redis.call('PEXPIRE', KEYS[1], math.ceil(left / 1000))
return {1, limit - count - cost, -1, left}
