package e2e

import (
	"os"
	"testing"
)

// TestMain makes a directory that outlives single tests, and takes it away in the end.
func TestMain(m *testing.M) {
	var err error
	if programDir, err = os.MkdirTemp("", "allinone-*"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(programDir)
	os.Exit(code)
}
