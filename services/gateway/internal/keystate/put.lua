-- Writes what PostgreSQL said about keys.
--
-- KEYS     1 state of the key
-- ARGV     the state · its life in ms · Redis time in µs before PostgreSQL was read (0 = not fenced)
--          how old that reading may be, µs
-- Answers  'written', 'newer' when a higher version or the revocation of this one is there (it stays), or 'late' when the
--          reading is too old to be trusted: a write that was held up must not undo a revocation that happened meanwhile.

local function key_parts(entry)
  local state, version = entry:match('^(%a) (%d+)')
  return state, tonumber(version)
end

-- Whether what is there must not be overwritten by an entry.
local function key_outlasts(there, entry)
  if not there then return false end
  local current_state, current = key_parts(there)
  local state, version = key_parts(entry)
  return current > version or (current == version and current_state == 'R' and state == 'A')
end

local now = redis_now()

return each_call(function(before, entry, life, read_at, fence)
  local key = KEYS[before + 1]
  read_at, fence = tonumber(read_at), tonumber(fence)
  if read_at > 0 and (now < read_at or now - read_at > fence) then return 'late' end
  if key_outlasts(redis.call('GET', key), entry) then return 'newer' end
  redis.call('SET', key, entry, 'PX', life)
  return 'written'
end)
