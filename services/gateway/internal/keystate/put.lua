-- Writes what PostgreSQL said about a key.
--
-- KEYS[1] state of the key
-- ARGV    1 state A|R · 2 version · 3 expiry in µs (0 = never) · 4 life of the entry in ms
--         5 Redis time in µs before PostgreSQL was read (0 = not fenced) · 6 how old that reading may be, µs
-- Returns 'written', 'newer' when a higher version or the revocation of this one is there (it stays), or 'late' when the
-- reading is too old to be trusted: a write that was held up must not undo a revocation that happened meanwhile.
local now = redis_now()
local read_at = tonumber(ARGV[5])
if read_at > 0 and (now < read_at or now - read_at > tonumber(ARGV[6])) then return 'late' end
if key_outlasts(KEYS[1], ARGV[1], tonumber(ARGV[2])) then return 'newer' end
redis.call('SET', KEYS[1], ARGV[1] .. ' ' .. ARGV[2] .. ' ' .. ARGV[3], 'PX', ARGV[4])
return 'written'
