-- Ends what begin started.
--
-- KEYS     1 entry of the idempotency key
-- Argument life of the new entry in ms, as text · phase of the entry that the request met: B, its own, or R · the new entry,
--          whose phase is D, R or G, F when nothing was decided, or X when the caller has gone before it knew
-- Answers  'ended', or 'lost' when that entry is not there any more. An owner came too late then: its lock has ended, and
--          someone else may hold the key.
--
-- F forgets the request's own entry, so that the key may be sent again. A recorded entry stays: that one repetition got no
-- answer says nothing about the first one. X also takes a place where nothing is, because its begin may still be to come.
local PREFIX = { B = 33, R = 17 } -- what an entry and its request share: with the token, and without it

return each_call(function(before, argument)
  local life, met, at = struct.unpack('sc1', argument)
  local key, entry = KEYS[before + 1], argument:sub(at)
  local held, prefix, phase = redis.call('GET', key), PREFIX[met], entry:sub(1, 1)
  local own = held and held:sub(1, prefix) == met .. entry:sub(2, prefix)
  if not own and (held or phase ~= 'X') then return 'lost' end
  if phase ~= 'F' then
    redis.call('SET', key, entry, 'PX', life)
  elseif met == 'B' then
    redis.call('DEL', key)
  end
  return 'ended'
end)
