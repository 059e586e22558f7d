-- A command carries any number of calls of one script. Call n has one argument, ARGV[n], and as many keys as every other.
--
-- Answers each call with what decide(before, argument) returns, where KEYS[before + 1] is its first key. What fails
-- does so alone.
local function each_call(decide)
  local replies, keys = {}, #KEYS / #ARGV
  for n, argument in ipairs(ARGV) do
    local ok, reply = pcall(decide, (n - 1) * keys, argument)
    if not ok and type(reply) ~= 'table' then reply = { err = 'ERR ' .. tostring(reply) } end
    replies[n] = reply
  end
  return replies
end
