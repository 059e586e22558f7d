package launch

import (
	"os"
	"regexp"
	"strconv"
	"syscall"
)

const (
	memoryDir = "/dev/shm"
	// tmpfs is the type of such a file system, as statfs returns it.
	tmpfs = 0x01021994
	// roomForTests is more than the servers of all test processes store at a time, in bytes.
	roomForTests = 4 << 30
)

// memAvailable matches the memory that processes can get without swapping, in KiB.
var memAvailable = regexp.MustCompile(`(?m)^MemAvailable: +(\d+) kB$`)

// inMemory returns a directory in memory, or "" where the servers of tests might not fit. Containers often have one of 64 MiB.
func inMemory() string {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memoryDir, &disk); err != nil || disk.Type != tmpfs {
		return ""
	}
	text, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return ""
	}
	return memoryWith(disk.Bavail*uint64(disk.Bsize), text)
}

// memoryWith is inMemory for a directory with this many free bytes and the text of /proc/meminfo.
func memoryWith(free uint64, meminfo []byte) string {
	found := memAvailable.FindSubmatch(meminfo)
	if found == nil {
		return ""
	}
	available, err := strconv.ParseUint(string(found[1]), 10, 64)
	if err != nil || min(free, available<<10) < roomForTests {
		return ""
	}
	return memoryDir
}
