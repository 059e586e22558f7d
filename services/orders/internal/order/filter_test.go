package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

// All combinations of the API: with and without a state, each with no time, one, the other, both, and both reversed.
func TestChangeFilter_needsStateAndTime(t *testing.T) {
	t.Parallel()
	early, late := noon, noon.Add(time.Microsecond)
	ranges := map[string]order.Range{
		"none": {}, "from": {From: &early}, "until": {Until: &early}, "both": {From: &early, Until: &late},
		"instant": {From: &early, Until: &early}, "reversed": {From: &late, Until: &early},
	}
	wanted := map[string]error{
		"-/none": nil, "-/from": apierr.StatusChangedFilterIncomplete, "-/until": apierr.StatusChangedFilterIncomplete,
		"-/both": apierr.StatusChangedFilterIncomplete, "-/instant": apierr.StatusChangedFilterIncomplete,
		"-/reversed":    apierr.StatusChangedFilterIncomplete,
		"canceled/none": apierr.StatusChangedFilterIncomplete, "canceled/from": nil, "canceled/until": nil,
		"canceled/both": nil, "canceled/instant": nil, "canceled/reversed": apierr.StatusChangedRangeInvalid,
	}
	for name, at := range ranges {
		filter, err := order.NewChangeFilter("", at)
		require.Equal(t, wanted["-/"+name], err, name)
		require.Nil(t, filter, name)

		filter, err = order.NewChangeFilter(order.Canceled, at)
		require.Equal(t, wanted["canceled/"+name], err, name)
		if err == nil {
			require.Equal(t, &order.ChangeFilter{To: order.Canceled, At: at}, filter, name)
		}
	}
}
