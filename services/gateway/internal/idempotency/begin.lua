-- One idempotency key of a seller while its request runs and for a while after, in one Redis string:
-- phase (1 byte) · fingerprint (16), in B and X the token (16), and in B the Redis time at which it began (8, µs).
--   B  begun: a request holds it; the entry expires with the lease, which its gateway renews while the request runs (renew.lua)
--   R  answered: its service has the first answer in its record, and replays it
--   E  expired: the owning service said that the stored answer has expired
--   X  given up: the caller of the request with this token was told that nothing was processed; it shall not begin any more
-- Redis only hurries: what happened is decided by the record in the owning service's transaction, so that an entry
-- lost here costs time and never an effect. Each service knows its own keys alone, so that a key belongs to a call on
-- another service is known from here: an entry stays for as long as the answer does and for a while after.
-- Clock: a Redis clock that steps forward ends leases early; the record of the owning service keeps the requests apart then. One that
-- steps back would prolong them: who meets such a lease shortens it. An age is never negative.

-- Whether there is no entry, or one that was given up.
local function idempotency_free(raw)
  return not raw or raw:sub(1, 1) == 'X'
end

-- Whether the request's caller has gone. The word to let a key go may arrive before the request that would begin it.
local function idempotency_given_up(raw, token)
  return raw and raw:sub(1, 1) == 'X' and raw:sub(18, 33) == token
end

-- The nonce under which the call of this token is charged when it is refused as in progress: one for a key and second, so that asking
-- again within the second costs nothing. Nil when the call is not refused.
local function idempotency_refusal(raw, token, now)
  if not raw or raw:sub(1, 1) ~= 'B' or raw:sub(18, 33) == token then return nil end
  return raw:sub(18, 20) .. struct.pack('>I3', math.floor(now / 1000000) % 0x1000000)
end

-- Age of a begun key and rest of its lease, in µs.
local function idempotency_busy(key, raw, lease_ms, now)
  local left = redis.call('PTTL', key)
  if left > tonumber(lease_ms) then
    redis.call('PEXPIRE', key, lease_ms)
    left = tonumber(lease_ms)
  end
  return math.max(now - struct.unpack('>I8', raw, 34), 0), math.max(left, 0) * 1000
end

-- Begins the key whose entry is raw, false when there is none.
-- Returns the outcome, 'new', 'busy', 'reused', 'answered' or 'expired', and the age and the rest of the lease of a busy key, else 0.
--
-- Whose key it is, is known when a request has been decided, and not before: one that is under way may turn out to be the
-- stranger, after an entry was lost, or to decide nothing. Until then other content is told to come again. An answered one is
-- decided: a request that brings its content goes on to the service and holds nothing, and the entry stays as it is.
local function idempotency_begin(key, raw, fingerprint, token, lease_ms, now)
  if idempotency_free(raw) then
    redis.call('SET', key, 'B' .. fingerprint .. token .. struct.pack('>I8', now), 'PX', lease_ms)
    return 'new', 0, 0
  end
  local phase = raw:sub(1, 1)
  if phase == 'B' then
    if raw:sub(18, 33) == token then return 'new', 0, 0 end
    return 'busy', idempotency_busy(key, raw, lease_ms, now)
  end
  if raw:sub(2, 17) ~= fingerprint then return 'reused', 0, 0 end
  if phase == 'R' then return 'answered', 0, 0 end
  return 'expired', 0, 0
end
