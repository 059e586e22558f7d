-- What a claim has decided, so that nothing keeps its lines from going there.

-- +goose Up
alter table claim_holds
    -- The claim's refund or exchange is decided: its lines are not corrected any more. Those that were decided before stay as they were.
    add column if not exists sealed               boolean not null default false,
    -- Reshipments that were taken back before they shipped, and the one that shipped.
    add column if not exists canceled_reshipments text[]  not null default '{}',
    add column if not exists shipped_reshipment   text;
