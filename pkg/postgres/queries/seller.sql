-- name: SetSeller
-- The seller whose rows the transaction can access from now on, until it ends; all sellers' rows when it is empty.
select set_config('app.seller', $1, true)
