package up

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"sellerapi.dev/services/allinone/internal/rundir"
)

// Layout is on how many nodes of PostgreSQL the rows are.
type Layout string

const (
	// Single is one PostgreSQL.
	Single Layout = "single"
	// Distributed is a coordinator, and workers that hold the rows.
	Distributed Layout = "distributed"
)

const (
	// layoutName is the file that says in which layout the data of the run directory are.
	layoutName = "layout"
	// clusterName is the folder of the nodes of the distributed layout.
	clusterName = "cluster"
)

// requireLayout refuses data of another layout than the wanted one.
func requireLayout(dir rundir.Dir, wanted Layout) error {
	switch kept, err := keptLayout(dir); {
	case err != nil:
		return err
	case kept != "" && kept != wanted:
		return fmt.Errorf("%s holds data in the layout %s, not %s: start with LAYOUT=%s, or forget the data with `make clean`",
			dir.Path(""), kept, wanted, kept)
	}
	return nil
}

// keepLayout writes down in which layout the data are, once there are some.
func keepLayout(dir rundir.Dir, layout Layout) error {
	return dir.Write(layoutName, []byte(layout+"\n"))
}

// keptLayout is the layout of the data, empty when there are none. A directory of a version from before layouts has secrets and does
// not say it.
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
