-- Counts a call without a good key in the window of its address.
--
-- KEYS     1 window of the address
-- Argument calls allowed (4 bytes) · window length in ms, as text · nonce (6 bytes)
-- Answers  µs until there is room, if nobody calls in between; 0 when the call was counted. A call that was not counted
--          writes nothing.
local now = redis_now()

return each_call(function(before, argument)
  local most, life, nonce = struct.unpack('>I4sc6', argument)
  local key = KEYS[before + 1]
  local window = window_open(key, redis.call('GET', key), now, life)
  if window_find(window, nonce) then return struct.pack('>I8', 0) end
  local wait = window_waits(window, now, most, 0)
  if wait == 0 then window_charge(window, now, nonce, 0) end
  return struct.pack('>I8', wait)
end)
