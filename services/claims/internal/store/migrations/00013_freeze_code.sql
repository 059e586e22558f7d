-- +goose NO TRANSACTION
-- Why a claim is frozen, in a word that a seller may read, and the step that tells the order's side. May be broken off and run again.

-- +goose Up
alter table claims
    add column if not exists frozen_code text check (frozen_code in ('dispute', 'fraud_check', 'payment_check', 'other'));
update claims set frozen_code = 'other' where frozen_at is not null and frozen_code is null;
alter table claims
    drop constraint if exists claims_frozen,
    add constraint claims_frozen check (num_nulls(frozen_by, frozen_reason, frozen_at, frozen_code) in (0, 4)) not valid;
alter table claims validate constraint claims_frozen;
alter table steps
    drop constraint if exists steps_name_check,
    add constraint steps_name_check check (name in ('open-lines', 'touch-order', 'release-lines', 'seal-lines', 'add-exchange-line',
        'open-exchange-line', 'ship-exchange-line', 'freeze-lines', 'finish-claim', 'pay-refunds', 'convert-lines')) not valid;
alter table steps validate constraint steps_name_check;
