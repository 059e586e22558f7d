-- The one clock of limits: that of Redis, in µs, so that all gateways agree.
local function redis_now()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end
