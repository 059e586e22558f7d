package service

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Invalid arguments are reported before the database is queried.
func TestSizeCommand_mistakes(t *testing.T) {
	t.Parallel()
	for arguments, want := range map[string]string{
		"--capacity=much": "500GiB", "--window=0s": "--window", "--window=-1h": "--window", "--window=long": "--window", "": "DATABASE_URL",
	} {
		cli := &struct {
			Size SizeCommand `cmd:""`
		}{Schema{}.SizeCommand()}
		environment := map[string]string{"DATABASE_URL": "postgres://nowhere"}
		if arguments == "" {
			environment = nil
		}
		o := runProgram(t, cli, "size "+arguments, environment, nil)
		require.Equal(t, exitUsage, o.code, arguments)
		require.Contains(t, o.err, want, arguments)
	}
}
