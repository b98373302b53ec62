-- The generic cell rate algorithm with the arithmetic of go-redis/redis_rate: seconds
-- in floating point numbers. KEYS: the key. ARGV: limit, window in us, burst (at least
-- 1), cost. Returns the cost or 0, remaining, and s until a retry and until the key is
-- as at the start.
local emission = ARGV[2] / 1000000 / ARGV[1]
local cost = tonumber(ARGV[4])
local offset = emission * math.max(tonumber(ARGV[3]), 1)
local time = redis.call('TIME')
local now = (time[1] - 1483228800) + (time[2] / 1000000) -- since 2017: seconds with us have 16 digits
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local new = tat + emission * cost
local early = now - (new - offset)
if early < 0 then
  return {0, 0, tostring(-early), tostring(tat - now)}
end
redis.call('SET', KEYS[1], new, 'EX', math.max(math.ceil(new - now), 1))
return {cost, early / emission, '-1', tostring(new - now)}
