-- Renews the lease of a key for the request that holds it.
--
-- KEYS     1 entry of the idempotency key
-- ARGV     lease in ms · fingerprint (16 bytes) of the request · its token (16)
-- Answers  'renewed', or 'lost' when the request does not hold the key any more: it has ended, or its lease has, and someone else may
--          hold the key. Nothing is written then: an entry that has expired is not begun anew, because the request may have ended
--          after this was sent.
--
-- The lease is counted from now, whatever the clock has done since it began.
local OWNER = 33 -- phase, fingerprint and token

return each_call(function(before, lease, fingerprint, token)
  local key = KEYS[before + 1]
  if redis.call('GETRANGE', key, 0, OWNER - 1) ~= 'B' .. fingerprint .. token then return 'lost' end
  redis.call('PEXPIRE', key, lease)
  return 'renewed'
end)
