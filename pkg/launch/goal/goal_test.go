package goal_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch/goal"
)

// A figure that equals its bar meets it, for lower and upper bars.
func TestCompare(t *testing.T) {
	t.Parallel()
	most, least := goal.Bar{Name: "time", Unit: "ms", AtMost: 20}, goal.Bar{Name: "rate", AtLeast: 0.6}
	require.Equal(t, goal.Goal{Name: "time", Unit: "ms", Bar: "≤ 20", Value: 20, Met: true}, most.Compare(20))
	require.False(t, most.Compare(20.1).Met)
	require.Equal(t, goal.Goal{Name: "rate", Bar: "≥ 0.6", Value: 0.6, Met: true}, least.Compare(0.6))
	require.False(t, least.Compare(0.59).Met)
}

// A run fails at its end when one goal or more were missed, and says how many.
func TestMissed(t *testing.T) {
	t.Parallel()
	bar := goal.Bar{Name: "CPU", Unit: "x", AtMost: 1.5}
	require.NoError(t, goal.Missed(nil))
	require.NoError(t, goal.Missed([]goal.Goal{bar.Compare(1)}))
	err := goal.Missed([]goal.Goal{bar.Compare(1), bar.Compare(2), bar.Compare(3)})
	require.ErrorIs(t, err, goal.ErrMissed)
	require.EqualError(t, err, "a goal is missed: 2 of 3")
}
