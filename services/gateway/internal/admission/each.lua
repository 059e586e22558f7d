-- A command carries any number of calls of one script: ARGV[1] is their number, and every call has as many keys and arguments as every
-- other, one call after the other.
--
-- Answers each call with what decide(before, its arguments …) returns, where KEYS[before + 1] is its first key. What fails
-- does so alone, but for a server that takes no writes: the whole command says so then, because the client gives up a
-- connection that leads to one, and does not look into answers for it.
local function each_call(decide)
  local calls, replies = tonumber(ARGV[1]), {}
  local keys, arguments = #KEYS / calls, (#ARGV - 1) / calls
  for n = 1, calls do
    local first = 2 + (n - 1) * arguments
    local ok, reply = pcall(decide, (n - 1) * keys, unpack(ARGV, first, first + arguments - 1))
    if not ok and type(reply) ~= 'table' then reply = { err = 'ERR ' .. tostring(reply) } end
    if not ok and reply.err:find('READONLY ', 1, true) then error({ err = 'READONLY the server is a replica' }) end
    replies[n] = reply
  end
  return replies
end
