-- +goose Up
-- A registration that nobody sees yet. Only that of a reshipment can be visible: it was until now, and is when it has to wait.
alter table evidence add column hidden boolean not null default false;
alter table steps drop constraint steps_name_check;
alter table steps add constraint steps_name_check check (name in ('open-lines', 'touch-order', 'touch-held', 'release-lines',
    'seal-lines', 'add-exchange-line', 'ship-exchange-line', 'freeze-lines', 'finish-claim', 'pay-refunds', 'convert-lines'));
