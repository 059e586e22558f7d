package up

import (
	"errors"
	"io/fs"
	"maps"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/allinone/rundir"
	"sellerapi.dev/services/allinone/stack"
)

const secretsName = "secrets.json"

// keptSecrets returns the secrets of the run directory. The first start generates them; a later one generates those that an
// older version did not have.
func keptSecrets(dir rundir.Dir) (stack.Secrets, error) {
	kept := map[string]string{}
	if err := dir.ReadJSON(secretsName, &kept); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return stack.Secrets{}, err
	}
	secrets, err := stack.NewSecrets()
	if err != nil {
		return stack.Secrets{}, err
	}
	all := map[string]string{}
	for name, one := range secrets.Named() {
		if kept[name] != "" {
			*one = secret.New(kept[name])
		}
		all[name] = one.Reveal()
	}
	if maps.Equal(kept, all) {
		return secrets, nil
	}
	return secrets, dir.WriteJSON(secretsName, all)
}
