-- name: SetSeller
-- Whose rows the transaction sees from here on: a seller's, or everybody's when it is empty. It ends with the transaction.
select set_config('app.seller', $1, true)
