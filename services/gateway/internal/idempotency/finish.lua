-- Ends what begin started.
--
-- KEYS     1 entry of the idempotency key
-- ARGV     life of the new entry in ms · what the request met: B, the entry that it began, or R, an answered one
--          the new entry: R or E, F when nothing was decided, or X when the caller has gone before it knew
--          fingerprint (16 bytes) of the request · its token (16), which only X keeps
-- Answers  'ended', or 'lost' when that entry is not there any more. An owner came too late then: its lease has ended, and
--          someone else may hold the key.
--
-- F forgets the request's own entry, so that the key may be sent again. X also takes a place where nothing is, because its
-- begin may still be to come. A repetition of an answered request holds nothing: all that it may say is that the answer has expired.
local WITH_TOKEN, WITHOUT_TOKEN = 33, 17
local PREFIX = { B = WITH_TOKEN, R = WITHOUT_TOKEN } -- what an entry and its request share

return each_call(function(before, life, met, phase, fingerprint, token)
  local key, entry, prefix = KEYS[before + 1], phase .. fingerprint .. token, PREFIX[met]
  local held = redis.call('GET', key)
  local own = held and held:sub(1, prefix) == met .. entry:sub(2, prefix)
  if not own and (held or phase ~= 'X') then return 'lost' end
  if phase == 'F' then
    redis.call('DEL', key)
  else
    redis.call('SET', key, phase == 'X' and entry or entry:sub(1, WITHOUT_TOKEN), 'PX', life)
  end
  return 'ended'
end)
