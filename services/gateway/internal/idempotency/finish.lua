-- Ends what begin started.
--
-- KEYS[1] entry of the idempotency key
-- ARGV    1 fingerprint · 2 token of the owner · 3 phase: D done, G gone, or empty: forget it, so that the key may be
--         sent again · 4 answer · 5 life of the entry in ms
-- Returns 1, or 0 for an owner that came too late: its lock has ended, and somebody else may hold the key.
local raw = redis.call('GET', KEYS[1])
if not raw or raw:sub(1, 33) ~= 'B' .. ARGV[1] .. ARGV[2] then return 0 end
if ARGV[3] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[3] .. ARGV[1] .. ARGV[2] .. ARGV[4], 'PX', ARGV[5])
end
return 1
