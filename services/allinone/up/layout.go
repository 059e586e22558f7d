package up

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"sellerapi.dev/services/allinone/rundir"
)

// Layout says on how many PostgreSQL nodes the rows are.
type Layout string

const (
	// Single is one PostgreSQL.
	Single Layout = "single"
	// Distributed is a coordinator and workers, which hold the rows.
	Distributed Layout = "distributed"
)

const (
	layoutName  = "layout"
	clusterName = "cluster"
)

// requireLayout returns an error when there is data of another layout than the wanted one.
func requireLayout(dir rundir.Dir, wanted Layout) error {
	switch kept, err := keptLayout(dir); {
	case err != nil:
		return err
	case kept != "" && kept != wanted:
		return fmt.Errorf("%s holds data in the layout %s, not %s: start with LAYOUT=%s, or delete the data with `make clean`",
			dir.Path(""), kept, wanted, kept)
	}
	return nil
}

// keepLayout records the layout of the data, once there is some.
func keepLayout(dir rundir.Dir, layout Layout) error {
	return dir.Write(layoutName, []byte(layout+"\n"))
}

// keptLayout returns the layout of the data, or "" when there is none. A directory written before layouts were introduced
// has secrets but no recorded layout; its layout is Single.
func keptLayout(dir rundir.Dir) (Layout, error) {
	text, err := dir.Read(layoutName)
	if !errors.Is(err, fs.ErrNotExist) {
		return Layout(strings.TrimSpace(string(text))), err
	}
	_, err = dir.Read(secretsName)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", err
	}
	return Single, nil
}
