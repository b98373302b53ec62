-- Keeps the time of each admitted token in a list. KEYS: the key. ARGV: limit,
-- window in us, burst (unused), cost. Returns verdict, remaining, and us until a
-- retry and until the log is empty.
local limit, window, cost = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[4])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local oldest = redis.call('LINDEX', KEYS[1], 0)
while oldest and tonumber(oldest) <= now - window do
  redis.call('LPOP', KEYS[1])
  oldest = redis.call('LINDEX', KEYS[1], 0)
end
local count = redis.call('LLEN', KEYS[1])
if count + cost > limit then
  local newest = tonumber(redis.call('LINDEX', KEYS[1], -1) or now - window)
  local retry = -1
  if cost <= limit then
    retry = tonumber(redis.call('LINDEX', KEYS[1], count + cost - limit - 1)) + window - now
  end
  return {0, limit - count, retry, newest + window - now}
end
for _ = 1, cost do
  redis.call('RPUSH', KEYS[1], now)
end
redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000))
return {1, limit - count - cost, -1, window}
