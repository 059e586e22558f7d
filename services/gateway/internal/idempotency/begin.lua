-- One idempotency key of a seller while its request runs and for a while after, in one Redis string:
-- phase (1 byte) · fingerprint (16) · token (16) · answer.
--   B  begun: a request holds it; the entry expires with the lock
--   D  done: the answer follows, for fast replays
--   G  gone: the owning service said that the stored answer has expired
-- Redis only hurries: what happened is decided by the record in the owning service's transaction, so that an entry
-- lost here costs time and never an effect.

local IDEMPOTENCY_ANSWER = 34

-- Returns outcome and detail: 'new' · 'busy', ms until the lock ends · 'reused' · 'replay', answer · 'gone'.
--
-- Whose key it is, is known when a request has been decided, and not before: one that is under way may turn out to be the
-- stranger, after an entry was lost, or to decide nothing. Until then other content is told to come again.
local function idempotency_begin(key, fingerprint, token, lock_ms)
  local raw = redis.call('GET', key)
  if not raw then
    redis.call('SET', key, 'B' .. fingerprint .. token, 'PX', lock_ms)
    return 'new', ''
  end
  local phase = raw:sub(1, 1)
  if phase == 'B' then
    if raw:sub(18, 33) == token then return 'new', '' end
    return 'busy', tostring(redis.call('PTTL', key))
  end
  if raw:sub(2, 17) ~= fingerprint then return 'reused', '' end
  if phase == 'D' then return 'replay', raw:sub(IDEMPOTENCY_ANSWER) end
  return 'gone', ''
end
