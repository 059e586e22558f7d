-- Settles the rows that reads reserved to those they returned.
--
-- KEYS     1 window of the key's reads
-- ARGV     window length in ms · nonce of the read (6 bytes) · rows returned
-- Answers  'settled', or 'left' for a read that has left the window: its reservation left with it.
local now = redis_now()

return each_call(function(before, life, nonce, rows)
  local key = KEYS[before + 1]
  local window = window_open(key, redis.call('GET', key), now, life)
  local at = window_find(window, nonce)
  if not at then return 'left' end
  window.rows = window.rows - window.entries:byte(at + 10) + rows
  redis.call('SET', key, struct.pack('>I8I8I4', window.first, window.last, window.rows)
    .. window.entries:sub(1, at + 9) .. string.char(rows) .. window.entries:sub(at + 11), 'KEEPTTL')
  return 'settled'
end)
