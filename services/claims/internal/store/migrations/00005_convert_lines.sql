-- +goose NO TRANSACTION
-- A conversion is registered until the order's side has handed the lines over. The step by which it does that has a name of
-- its own: the version before handed them over after the conversion, by another step. May be broken off and run again.

-- +goose Up
alter table steps
    drop constraint if exists steps_name_check,
    add constraint steps_name_check check (name in ('open-lines', 'touch-order', 'release-lines', 'add-exchange-line',
        'open-exchange-line', 'ship-exchange-line', 'finish-claim', 'pay-refunds', 'convert-hold', 'convert-lines'));
-- Old rows are looked at without keeping anybody away.
alter table evidence
    drop constraint if exists evidence_action_check,
    add constraint evidence_action_check check (action in ('approve', 'reject', 'pickup', 'collect-done', 'inspect', 'reship',
        'convert-to-return')) not valid;
alter table evidence validate constraint evidence_action_check;
