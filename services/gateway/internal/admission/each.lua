-- A command carries any number of calls of one script. Call n has one argument, ARGV[n], and as many keys as every other.
--
-- Answers each call with what decide(before, argument) returns, where KEYS[before + 1] is its first key. What fails
-- does so alone, but for a server that takes no writes: the whole command says so then, because the client gives up a
-- connection that leads to one, and does not look into answers for it.
local function each_call(decide)
  local replies, keys = {}, #KEYS / #ARGV
  for n, argument in ipairs(ARGV) do
    local ok, reply = pcall(decide, (n - 1) * keys, argument)
    if not ok and type(reply) ~= 'table' then reply = { err = 'ERR ' .. tostring(reply) } end
    if not ok and reply.err:find('READONLY ', 1, true) then error({ err = 'READONLY the server is a replica' }) end
    replies[n] = reply
  end
  return replies
end
