package launch

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

type search struct {
	debian string   // folder with one folder per PostgreSQL version
	path   []string // folders as in PATH
}

// system returns the search for this machine. It extends PATH by folders that Debian omits from
// the PATH of ordinary users.
func system() search {
	return search{
		debian: "/usr/lib/postgresql",
		path:   append(filepath.SplitList(os.Getenv("PATH")), "/usr/local/bin", "/usr/bin", "/usr/sbin"),
	}
}

// postgres returns the folder of the programs initdb and postgres: of the given major version,
// or of the newest one when version is empty.
func (s search) postgres(version string) (string, error) {
	if version != "" {
		if dir := filepath.Join(s.debian, version, "bin"); executable(filepath.Join(dir, "postgres")) {
			return dir, nil
		}
	} else if dir := s.newestPostgres(); dir != "" {
		return dir, nil
	}
	for _, dir := range s.path {
		if executable(filepath.Join(dir, "postgres")) && executable(filepath.Join(dir, "initdb")) {
			return dir, nil
		}
	}
	wanted := "postgresql"
	if version != "" {
		wanted = "postgresql-" + version
	}
	return "", fmt.Errorf("the PostgreSQL server is not installed (no initdb and postgres below %s or in PATH): "+
		"install the Debian package %s", s.debian, wanted)
}

// newestPostgres returns the program folder of the highest version, or "" when there is none.
func (s search) newestPostgres() string {
	found, err := filepath.Glob(filepath.Join(s.debian, "*", "bin", "postgres"))
	if err != nil || len(found) == 0 {
		return ""
	}
	major := func(path string) int {
		n, err := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		if err != nil {
			return 0
		}
		return n
	}
	sort.Slice(found, func(i, j int) bool { return major(found[i]) > major(found[j]) })
	return filepath.Dir(found[0])
}

func (s search) redis() (string, error) {
	return s.program("redis-server", "the Redis server", "redis-server")
}

// program returns the path of a program. Its error says what the program is and which Debian
// package contains it.
func (s search) program(name, what, debian string) (string, error) {
	for _, dir := range s.path {
		if p := filepath.Join(dir, name); executable(p) {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s is not installed (no %s in %s): install the Debian package %s", what, name,
		strings.Join(s.path, ":"), debian)
}

func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o111 != 0
}
