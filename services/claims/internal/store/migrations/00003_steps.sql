-- Steps across services until they are done, and refunds that count failures instead of attempts.

-- +goose Up

-- Work outside of this schema that a change calls for, written in the change's transaction and deleted when it is done. A
-- sweep tries each row until it is gone.
create table steps (
    id         bigint      generated always as identity primary key,
    -- No reference: lines are held before their claim is there.
    claim_no   text        not null,
    seller_id  uuid        not null,
    name       text        not null check (name in ('open-lines', 'touch-order', 'release-lines', 'add-exchange-line',
                           'open-exchange-line', 'ship-exchange-line', 'finish-claim', 'pay-refunds', 'convert-hold')),
    -- Tells the changes of a claim apart that call for the same step.
    ref        text        not null,
    -- What was asked for, where there is no claim yet.
    request    jsonb,
    planned_at timestamptz not null default clock_timestamp(),
    constraint steps_once unique (claim_no, name, ref),
    constraint steps_request check ((name = 'open-lines') = (request is not null))
) with (autovacuum_vacuum_scale_factor = 0.05);
create index steps_by_age on steps (planned_at);

-- A provider that cannot be reached has not failed: only its own word counts.
alter table refunds rename column attempts to failures;
