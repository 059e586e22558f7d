package launch

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Data of tests is kept in memory only where both the file system and the machine have room for it.
func TestMemoryWith_room(t *testing.T) {
	t.Parallel()
	const enough, little = "MemTotal: 9000000 kB\nMemAvailable:    4194304 kB\n",
		"MemTotal: 9000000 kB\nMemAvailable:    4194303 kB\n"
	require.Equal(t, memoryDir, memoryWith(roomForTests, []byte(enough)))
	require.Empty(t, memoryWith(roomForTests-1, []byte(enough)))
	require.Empty(t, memoryWith(roomForTests, []byte(little)))
	require.Empty(t, memoryWith(roomForTests, nil))
}
