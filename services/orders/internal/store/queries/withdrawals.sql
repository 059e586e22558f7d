-- The withdrawals of members, who are named by keyed digests. These tables are on one node of a distributed database.

-- name: MemberKey
-- The key of the digests. One row.
select k.key from member_key k;

-- name: NoteMembers
-- $1 members, sorted, so that two placements cannot deadlock. Adds the row that a withdrawal waits for; a member who is new to two
-- transactions is noted by the first, and the other waits. Primary key.
insert into withdrawals (member, withdrawn_at)
select m.member, '-infinity' from unnest($1::bytea[]) as m (member)
on conflict (member, withdrawn_at) do nothing;

-- name: ShareMembers
-- $1 members, sorted: keeps withdrawals that are not visible yet from their end until the transaction ends, see AwaitPlacements. Only the
-- latest row is locked, so that a withdrawal does not wait for placements that know of it. Primary key.
select w.member
from unnest($1::bytea[]) as m (member)
cross join lateral (
  select w.member from withdrawals w where w.member = m.member order by w.withdrawn_at desc limit 1 for key share
) w;

-- name: LastWithdrawals
-- $1 members: the last withdrawal of those who withdrew. Primary key.
select w.member, max(w.withdrawn_at)
from withdrawals w
where w.member = any ($1) and w.withdrawn_at > '-infinity'
group by w.member;

-- name: Withdraw
-- $1 a member, who is noted.
insert into withdrawals (member, withdrawn_at) values ($1, seller_now(null))
on conflict (member, withdrawn_at) do update set withdrawn_at = excluded.withdrawn_at
returning withdrawn_at;

-- name: AwaitPlacements
-- $1 a member, $2 a withdrawal, committed: waits for the placements that do not know of it. Primary key.
select w.withdrawn_at from withdrawals w where w.member = $1 and w.withdrawn_at < $2 for update;
