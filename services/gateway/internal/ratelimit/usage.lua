-- Reads a window and charges nothing.
--
-- KEYS     1 window
-- ARGV     window length in ms
-- Answers  calls · rows · µs until the oldest call leaves, 0 for an empty window
local now = redis_now()

return each_call(function(before, life)
  local key = KEYS[before + 1]
  local window = window_open(key, redis.call('GET', key), now, life)
  return { window.calls, window.rows, window_reset(window, now) }
end)
