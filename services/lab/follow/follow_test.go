package follow

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

func order(no, updatedAt, status string) map[string]any {
	return map[string]any{"order_no": no, "updated_at": updatedAt, "order_status": status}
}

// A copy that lacks a record, has one too many, or differs in one field is reported; a proof that cannot fail proves nothing.
func TestCopy_differs(t *testing.T) {
	t.Parallel()
	list := Lists()[0]
	get := func(context.Context, string) (any, error) {
		return map[string]any{"list": []any{order("A", "1", "paid"), order("B", "2", "paid")}, "next_cursor": nil}, nil
	}
	for name, c := range map[string]struct {
		records map[string]any
		want    string
	}{
		"exact":   {map[string]any{"A": order("A", "1", "paid"), "B": order("B", "2", "paid")}, ""},
		"missing": {map[string]any{"A": order("A", "1", "paid")}, "B: the copy has <nil>"},
		"more":    {map[string]any{"A": order("A", "1", "paid"), "B": order("B", "2", "paid"), "C": 1}, "C: is in the copy alone"},
		"field":   {map[string]any{"A": order("A", "1", "preparing"), "B": order("B", "2", "paid")}, "A: the copy has map"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			copied := &Copy{List: list, Records: c.records}
			problem, err := copied.Differs(t.Context(), get)
			require.NoError(t, err)
			require.Contains(t, problem, c.want)
			require.Equal(t, c.want == "", problem == "")
		})
	}
}

// A page with a version that the copy has already is refused, and leaves the copy as it was.
func TestCopy_addOnlyNewer(t *testing.T) {
	t.Parallel()
	c := New(Lists()[0])
	require.NoError(t, c.Add(Page{Records: map[string]any{"A": order("A", "2", "paid")}, After: "x"}))
	require.ErrorIs(t, c.Add(Page{Records: map[string]any{"A": order("A", "2", "preparing")}, After: "y"}), errOld)
	require.Equal(t, "x", c.After)
}
