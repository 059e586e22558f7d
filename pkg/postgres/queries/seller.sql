-- name: SetSeller
-- The seller whose rows the transaction can access from now on, until it ends; all sellers' rows when it is empty.
select set_config('app.seller', $1, true)

-- name: SetCustomPlan
-- The statements of the transaction are planned for the values of their arguments from now on, until it ends.
select set_config('plan_cache_mode', 'force_custom_plan', true)
