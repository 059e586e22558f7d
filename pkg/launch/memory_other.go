//go:build !linux

package launch

// inMemory returns "": other systems have no directory in memory that is always there.
func inMemory() string { return "" }
