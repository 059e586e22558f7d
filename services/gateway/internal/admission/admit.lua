-- Everything that decides whether a call may go on, in one round trip: the state of the API key, the exact call
-- window, the row budget of reads and the begin of an idempotency key.
--
-- KEYS[1] state of the key · KEYS[2] its window for this class of call · KEYS[3] idempotency entry (begin only)
-- ARGV    1 what: 'look' charges nothing, 'charge', 'begin' charges and begins the idempotency key
--         2 nonce (6 bytes) · 3 calls allowed · 4 window length in ms · 5 rows allowed (0 = no budget) · 6 rows to reserve
--         7 version of the key's facts that the gateway works with
--         8 fingerprint (16 bytes) · 9 token (16 bytes) · 10 lock in ms
--         11 Redis time in µs after which nobody waits for this command any more (0 = not known)
-- Returns {verdict, now, calls, rows, wait for calls, wait for rows, reset, outcome, detail}; times in µs.
--         verdict: 'late', 'unknown' and 'revoked' (nothing else is filled), 'refused', 'admitted'; only 'admitted' writes
--         calls and rows: in the window, this call included when it was admitted
--         outcome, detail: of begin.lua, empty unless admitted with 'begin'
local now = redis_now()
local not_after = tonumber(ARGV[11])
if not_after > 0 and now > not_after then return { 'late', now, 0, 0, 0, 0, 0, '', '' } end
local state = key_state(KEYS[1], now, ARGV[7])
if state ~= 'active' then return { state, now, 0, 0, 0, 0, 0, '', '' } end

local what, nonce = ARGV[1], ARGV[2]
local max_calls, max_rows, reserve = tonumber(ARGV[3]), tonumber(ARGV[5]), tonumber(ARGV[6])
local window = window_open(KEYS[2], now, ARGV[4])
local calls_wait, rows_wait = 0, 0
local verdict, outcome, detail = 'admitted', '', ''
if what ~= 'look' and not window_find(window, nonce) then
  calls_wait, rows_wait = window_waits(window, now, max_calls, max_rows)
  if calls_wait > 0 or rows_wait > 0 then
    verdict = 'refused'
  else
    window_charge(window, now, nonce, reserve)
  end
end
if verdict == 'admitted' and what == 'begin' then
  outcome, detail = idempotency_begin(KEYS[3], ARGV[8], ARGV[9], ARGV[10])
end
return { verdict, now, window_calls(window), window.rows, calls_wait, rows_wait,
  window_reset(window, now), outcome, detail }
