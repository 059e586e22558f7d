-- What Redis knows of an API key: "<A|R> <version> <expiry in µs, 0 = never>", A active, R revoked.
--
-- PostgreSQL owns the truth. An entry is written from it and lives for a limited time; a missing one makes the
-- gateway read the truth again, so a flushed Redis costs a look-up and never lets a revoked key pass.

-- 'active'; 'revoked', also when past its expiry; or 'unknown', also when the caller's facts are of another version, so
-- that it must read the truth again.
local function key_state(key, now, version)
  local raw = redis.call('GET', key)
  if not raw then return 'unknown' end
  local state, current, expiry = raw:match('^(%a) (%d+) (%d+)$')
  expiry = tonumber(expiry)
  if state ~= 'A' or (expiry > 0 and expiry <= now) then return 'revoked' end
  if current ~= version then return 'unknown' end
  return 'active'
end

-- Whether what is there must not be overwritten by this state of this version.
local function key_outlasts(key, state, version)
  local raw = redis.call('GET', key)
  if not raw then return false end
  local current_state, current = raw:match('^(%a) (%d+)')
  current = tonumber(current)
  return current > version or (current == version and current_state == 'R' and state == 'A')
end
