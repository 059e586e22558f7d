-- The audit trail names the system that was authenticated beside the person whom it names, records refused looks at a key, and is
-- chained: each entry carries the digest of itself and of the one before; package audit says of what.
-- +goose Up
alter table key_audit drop constraint key_audit_action_check;
alter table key_audit add constraint key_audit_action_check check (
    action in ('register', 'issue', 'issue_again', 'list', 'reveal', 'reveal_refused', 'revoke', 'revoke_again')
);
alter table key_audit add column caller text not null default 'unknown' check (caller <> '');
alter table key_audit alter column caller drop default;
alter table key_audit add column digest bytea;

comment on column key_audit.caller is 'The system whose token was checked, or "command". "unknown" in entries from before it was noted.';
comment on column key_audit.digest is 'SHA-256 over the digest of the entry before and the fields of this one. Written once, by the program.';

-- What is there already is chained as it stands.
alter table key_audit disable trigger key_audit_is_append_only;
-- +goose StatementBegin
do $$
declare
    entry record;
    field text;
    chained bytea;
    previous bytea := decode(repeat('00', 32), 'hex');
begin
    for entry in select * from key_audit order by audit_id loop
        chained := previous;
        foreach field in array array[
            to_char(entry.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), entry.caller, entry.actor, entry.action,
            entry.seller_id::text, coalesce(entry.key_id::text, ''), entry.detail::text
        ] loop
            chained := chained || int4send(octet_length(field)) || convert_to(field, 'UTF8');
        end loop;
        previous := sha256(chained);
        update key_audit set digest = previous where audit_id = entry.audit_id;
    end loop;
end
$$;
-- +goose StatementEnd
alter table key_audit enable trigger key_audit_is_append_only;

alter table key_audit alter column digest set not null;
alter table key_audit add constraint key_audit_digest check (octet_length(digest) = 32);
