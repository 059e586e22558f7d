-- Everything that decides whether a call may go on, in one round trip: the state of the API key, the exact call
-- window, the row budget of reads and the begin of an idempotency key.
--
-- KEYS     1 state of the key · 2 its window for this class of call · 3 idempotency entry (begin only)
-- ARGV     calls allowed · rows allowed (0 = no budget) · window length in ms · lease in ms
--          what: 'charge', 'look' decides in the same way and charges nothing, 'begin' charges and begins the idempotency key,
--          'begin_charged' begins that of a call that was charged before
--          nonce (6 bytes) · rows to reserve · Redis time in µs after which nobody waits for this any more (0 = not known)
--          state of the key that the gateway works with · for begin: fingerprint (16 bytes), token (16 bytes)
-- Answers  verdict, now; when 'refused' or 'admitted' also calls, rows, wait for calls, wait for rows, reset, outcome, age, lease left.
--          Times are in µs.
--          verdict: 'late', 'unknown', 'revoked', 'refused', 'full', 'admitted'; only 'admitted' writes. 'full' is said by begin_full
--          alone, see scripts.go, of an idempotency key that has no entry yet
--          calls and rows: in the window, this call included when it was admitted. A call that is admitted and meets a busy key is
--          charged once for the key and second, however often it is sent in it, unless it was charged before
--          outcome, age, lease left: of begin.lua; '' and 0 unless admitted with 'begin'
local now = redis_now()

local function decide(before, max_calls, max_rows, life, lease, what, nonce, reserve, not_after, believed, fingerprint, token)
  max_calls, max_rows, not_after = tonumber(max_calls), tonumber(max_rows), tonumber(not_after)
  if not_after > 0 and now > not_after then return { 'late', now } end
  local state_key, window_key = KEYS[before + 1], KEYS[before + 2]
  local held, entry_key
  if what == 'begin' or what == 'begin_charged' then
    entry_key = KEYS[before + 3]
    held = redis.call('MGET', state_key, window_key, entry_key)
    if idempotency_given_up(held[3], token) then return { 'late', now } end
  else
    held = redis.call('MGET', state_key, window_key)
  end
  local state = key_state(held[1], now, believed)
  if state ~= 'active' then return { state, now } end

  local window = window_open(window_key, held[2], now, life)
  local calls_wait, rows_wait = 0, 0
  local verdict, outcome, age, left = 'admitted', '', 0, 0
  local refusal = what == 'begin' and idempotency_refusal(held[3], token, now)
  nonce = refusal or nonce
  local weighed = window_find(window, nonce)
  if not weighed then
    calls_wait, rows_wait = window_waits(window, now, max_calls, max_rows)
    if calls_wait > 0 or rows_wait > 0 then verdict = 'refused' end
  end
  if verdict == 'admitted' and KNOWN_KEYS_ONLY and idempotency_free(held[3]) then return { 'full', now } end
  if verdict == 'admitted' and not weighed and what ~= 'look' then window_charge(window, now, nonce, tonumber(reserve)) end
  if verdict == 'admitted' and entry_key then
    outcome, age, left = idempotency_begin(entry_key, held[3], fingerprint, token, lease, now)
  end
  return { verdict, now, window.calls, window.rows, calls_wait, rows_wait, window_reset(window, now), outcome, age, left }
end

return each_call(decide)
