-- +goose NO TRANSACTION
-- Whatever the order's side must agree with is registered until it has, also what is no action of a seller. A step of its own makes
-- sure that lines can be settled. May be broken off and run again.

-- +goose Up
alter table steps
    drop constraint if exists steps_name_check,
    add constraint steps_name_check check (name in ('open-lines', 'touch-order', 'release-lines', 'seal-lines', 'add-exchange-line',
        'open-exchange-line', 'ship-exchange-line', 'finish-claim', 'pay-refunds', 'convert-lines')) not valid;
alter table steps validate constraint steps_name_check;
-- Old rows are looked at without keeping anybody away.
alter table evidence
    drop constraint if exists evidence_action_check,
    add constraint evidence_action_check check (action in ('approve', 'reject', 'pickup', 'collect-done', 'inspect', 'reship',
        'convert-to-return', 'withdraw', 'expire-payment', 'cancel-reshipment')) not valid;
alter table evidence validate constraint evidence_action_check;
