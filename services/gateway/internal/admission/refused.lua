-- Counts a call without a good key in the window of its address.
--
-- KEYS     1 window of the address
-- ARGV     calls allowed · window length in ms · nonce (6 bytes)
-- Answers  µs until there is room, if nobody calls in between; 0 when the call was counted or its address has no window and gets
--          none. A call that was not counted writes nothing.
--
-- There is no end of addresses that can call without a key, and sellers need the memory: beyond the first alert of the server's
-- memory, addresses without a window get none, and what they send is refused for its key alone.
local now = redis_now()

local function has_room()
  local memory = redis.call('INFO', 'memory')
  local max = tonumber(string.match(memory, '[\r\n]maxmemory:(%d+)'))
  return max == 0 or tonumber(string.match(memory, '[\r\n]used_memory:(%d+)')) < 0.7 * max
end

return each_call(function(before, max_calls, life, nonce)
  local key = KEYS[before + 1]
  local held = redis.call('GET', key)
  if not held and not has_room() then return 0 end
  local window = window_open(key, held, now, life)
  if window_find(window, nonce) then return 0 end
  local wait = window_waits(window, now, tonumber(max_calls), 0)
  if wait == 0 then window_charge(window, now, nonce, 0) end
  return wait
end)
