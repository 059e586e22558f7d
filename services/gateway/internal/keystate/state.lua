-- What Redis knows of an API key: "<A|R> <version> <expiry in µs, 0 = never>", A active, R revoked.
--
-- PostgreSQL owns the truth. An entry is written from it and lives for a limited time; a missing one makes the
-- gateway read the truth again, so a flushed Redis costs a look-up and never lets a revoked key pass.

-- What an entry says of a key: 'active'; 'revoked', also when past its expiry; or 'unknown', also when it is not what the
-- caller believes, so that it must read the truth again.
local function key_state(entry, now, believed)
  if not entry then return 'unknown' end
  if entry == believed and entry:find('^A %d+ 0$') then return 'active' end -- nearly always, and not taken apart
  local state, expiry = entry:match('^(%a) %d+ (%d+)$')
  expiry = tonumber(expiry)
  if state ~= 'A' or (expiry > 0 and expiry <= now) then return 'revoked' end
  return entry == believed and 'active' or 'unknown'
end
