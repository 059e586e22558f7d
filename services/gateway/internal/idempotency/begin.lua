-- One idempotency key of a seller while its request runs and for a while after, in one Redis string:
-- phase (1 byte) · fingerprint (16) · token (16) · answer.
--   B  begun: a request holds it; the entry expires with the lock
--   D  done: the answer follows, for fast replays
--   R  recorded: there is an answer, too large to be kept here; its service replays it from its record
--   G  gone: the owning service said that the stored answer has expired
--   X  given up: the caller of the request with this token was told that nothing was processed; it shall not begin any more
-- Redis only hurries: what happened is decided by the record in the owning service's transaction, so that an entry
-- lost here costs time and never an effect. Each service knows its own keys alone, so that a key belongs to a call on
-- another service is known from here: an entry stays for as long as the answer does, however large that is.

local IDEMPOTENCY_ANSWER = 34
local IDEMPOTENCY_FAULT = 500

-- Whether an entry holds nobody's key: it was given up, or its answer, status first, is a fault, which decides nothing.
local function idempotency_free(raw)
  local phase = raw and raw:sub(1, 1) or 'X'
  return phase == 'X' or phase == 'D' and struct.unpack('>H', raw, IDEMPOTENCY_ANSWER) >= IDEMPOTENCY_FAULT
end

-- Whether the request's caller has gone. The word to let a key go may arrive before the request that would begin it.
local function idempotency_given_up(raw, token)
  return raw and raw:sub(1, 1) == 'X' and raw:sub(18, 33) == token
end

-- Begins the key whose entry is raw, false when there is none.
-- Returns outcome and detail: 'new' · 'busy', ms until the lock ends · 'reused' · 'replay', answer · 'recorded' · 'gone'.
--
-- Whose key it is, is known when a request has been decided, and not before: one that is under way may turn out to be the
-- stranger, after an entry was lost, or to decide nothing. Until then other content is told to come again. A recorded one is
-- decided: a request that brings its content goes on to the service and holds nothing, and the entry stays as it is.
local function idempotency_begin(key, raw, fingerprint, token, lock_ms)
  if idempotency_free(raw) then
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
  if phase == 'R' then return 'recorded', '' end
  return 'gone', ''
end
