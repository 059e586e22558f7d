package up

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/rundir"
)

// Data can be opened in the layout in which it was written, and in no other; data of a version without layouts counts as single.
func TestRequireLayout(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, second Layout
		older         bool
		refused       string
	}{
		"single again":      {first: Single, second: Single},
		"distributed again": {first: Distributed, second: Distributed},
		"distributed, then single": {
			first: Distributed, second: Single,
			refused: "holds data in the layout distributed, not single",
		},
		"single, then distributed": {
			first: Single, second: Distributed,
			refused: "holds data in the layout single, not distributed",
		},
		"older version, then single":      {older: true, second: Single},
		"older version, then distributed": {older: true, second: Distributed, refused: "start with LAYOUT=single"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, err := rundir.Open(t.TempDir())
			require.NoError(t, err)
			if c.older {
				require.NoError(t, dir.Write(secretsName, []byte("{}")))
			} else {
				require.NoError(t, requireLayout(dir, c.first))
				require.NoError(t, keepLayout(dir, c.first))
			}
			err = requireLayout(dir, c.second)
			if c.refused == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.refused)
		})
	}
}
