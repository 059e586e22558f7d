-- Settles the rows that one read reserved to those it returned.
--
-- KEYS[1] window of the key's reads
-- ARGV    1 window length in ms · 2 nonce of the read · 3 rows returned
-- Returns 1. A key whose window has passed is left alone: the reservation left with it.
local window = window_open(KEYS[1], redis_now(), ARGV[1])
window_settle(window, ARGV[2], tonumber(ARGV[3]))
return 1
