-- The calls that one API key was allowed in the last window, in one Redis string.
--
-- Layout: first (8 bytes, µs) · last (8, µs) · rows (4) · then one entry per admitted call, oldest first:
--         µs since the entry before (4) · nonce (6) · rows (1). An empty window has no string at all.
-- The window is half open: a call of time t counts in (t - length, t], so a place is free again exactly
-- one length after it was taken.
--
-- Refused calls write nothing. A nonce that is already there is a retried command and is not charged twice.
-- Clock: a Redis clock that stepped back moves the whole window back with it, once, by the first script that sees it. The
-- distances between calls stay as they were, so nothing is admitted too early, and nobody waits for the old time to
-- come again.
-- Expiry: the string lives one length from its last write, so an idle key costs no memory.

local WINDOW_HEADER, WINDOW_ENTRY = 20, 11

-- Keeps the window, with the entries of more added.
local function window_save(window, more)
  redis.call('SET', window.key,
    struct.pack('>I8I8I4', window.first, window.last, window.rows) .. window.entries .. more,
    'PX', window.life)
end

-- Opens the window that Redis holds as raw at `now`, without the calls that have left it; life is its length in ms, as
-- text: Redis spends more time on writing a number as text than on all that is done with it.
local function window_open(key, raw, now, life)
  local length = life * 1000
  if not raw then
    return { key = key, length = length, life = life, first = now, last = now, rows = 0, calls = 0, entries = '' }
  end
  local first, last, rows = struct.unpack('>I8I8I4', raw)
  if now < last then
    first, last = first - (last - now), now
    window_save({ key = key, life = life, first = first, last = last, rows = rows, entries = '' },
      raw:sub(WINDOW_HEADER + 1))
  end
  local at = WINDOW_HEADER + 1
  while at <= #raw and first <= now - length do
    rows = rows - raw:byte(at + 10)
    at = at + WINDOW_ENTRY
    if at <= #raw then first = first + struct.unpack('>I4', raw, at) end
  end
  if at > #raw then first, last = now, now end
  return { key = key, length = length, life = life, first = first, last = last, rows = rows,
    calls = (#raw + 1 - at) / WINDOW_ENTRY, entries = raw:sub(at) }
end

-- Position of the entry that carries the nonce, or nil.
local function window_find(window, nonce)
  local from = 1
  while true do
    local at = window.entries:find(nonce, from, true)
    if not at then return nil end
    if (at - 5) % WINDOW_ENTRY == 0 then return at - 4 end
    from = at + 1
  end
end

-- µs until the calls are below max_calls and, when there is a row budget, the rows below max_rows, if nobody
-- calls in between: {calls, rows}, 0 where there is room now.
local function window_waits(window, now, max_calls, max_rows)
  local calls, rows = window.calls, window.rows
  local calls_at, rows_at = now, now
  local time, at = window.first, 1
  while calls >= max_calls or (max_rows > 0 and rows >= max_rows) do
    if at > 1 then time = time + struct.unpack('>I4', window.entries, at) end
    if calls >= max_calls then calls_at = time + window.length end
    if max_rows > 0 and rows >= max_rows then rows_at = time + window.length end
    calls = calls - 1
    rows = rows - window.entries:byte(at + 10)
    at = at + WINDOW_ENTRY
  end
  return calls_at - now, rows_at - now
end

local function window_charge(window, now, nonce, rows)
  local delta = now - window.last
  window.last, window.rows, window.calls = now, window.rows + rows, window.calls + 1
  window_save(window, struct.pack('>I4', delta) .. nonce .. string.char(rows))
end

-- µs until the oldest call leaves and a place is free; 0 when no call is in the window.
local function window_reset(window, now)
  if window.calls == 0 then return 0 end
  return window.first + window.length - now
end
