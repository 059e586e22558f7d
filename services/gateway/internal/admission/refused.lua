-- Counts a call without a good key in the window of its address.
--
-- KEYS     1 window of the address
-- Argument calls allowed (4 bytes) · window length in ms, as text · nonce (6 bytes)
-- Answers  µs until there is room, if nobody calls in between; 0 when the call was counted or its address has no window and gets
--          none. A call that was not counted writes nothing.
--
-- There is no end of addresses that can call without a key, and sellers need the memory: beyond the first alert of the server's
-- memory, addresses without a window get none, and what they send is refused for its key alone.
local now = redis_now()

local function has_room()
  local memory = redis.call('INFO', 'memory')
  local most = tonumber(string.match(memory, '[\r\n]maxmemory:(%d+)'))
  return most == 0 or tonumber(string.match(memory, '[\r\n]used_memory:(%d+)')) < 0.7 * most
end

return each_call(function(before, argument)
  local most, life, nonce = struct.unpack('>I4sc6', argument)
  local key = KEYS[before + 1]
  local held = redis.call('GET', key)
  if not held and not has_room() then return struct.pack('>I8', 0) end
  local window = window_open(key, held, now, life)
  if window_find(window, nonce) then return struct.pack('>I8', 0) end
  local wait = window_waits(window, now, most, 0)
  if wait == 0 then window_charge(window, now, nonce, 0) end
  return struct.pack('>I8', wait)
end)
