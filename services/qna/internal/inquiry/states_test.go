package inquiry_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/machine/machinetest"
	"sellerapi.dev/services/qna/internal/inquiry"
)

var update = flag.Bool("update", false, "rewrite STATES.md")

func document() string {
	return "# States of an inquiry\n\nRendered from `states.go` by `make generate`; do not edit.\n\n" +
		machinetest.Markdown(inquiry.States)
}

// The document of the states is rendered from the table.
func TestStates_documentIsCurrent(t *testing.T) {
	t.Parallel()
	if *update {
		require.NoError(t, os.WriteFile("STATES.md", []byte(document()), 0o600))
	}
	written, err := os.ReadFile("STATES.md")
	require.NoError(t, err)
	require.Equal(t, document(), string(written))
}

// Clients see and filter by exactly the two values of the specification.
func TestStates_matchSpecification(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"waiting", "answered"}, inquiry.StatusNames())
}

// An answer cannot be changed through the API: only an operator can set an inquiry back to
// waiting.
func TestStates_onlyOperatorTakesAnswerBack(t *testing.T) {
	t.Parallel()
	require.Equal(t, []inquiry.Trigger{inquiry.TriggerAnswer}, inquiry.States.Triggers(inquiry.Waiting, inquiry.ActorAPI))
	require.Empty(t, inquiry.States.Triggers(inquiry.Answered, inquiry.ActorAPI))
	require.Equal(t, []inquiry.Trigger{inquiry.TriggerCancel}, inquiry.States.Triggers(inquiry.Answered, inquiry.ActorOperator))
}
