package up

import (
	"errors"
	"io/fs"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/allinone/internal/rundir"
	"sellerapi.dev/services/allinone/stack"
)

// secretsName is the file with the secrets that the data were written with.
const secretsName = "secrets.json"

// keptSecrets returns the secrets of the run directory; the first start draws them.
func keptSecrets(dir rundir.Dir) (stack.Secrets, error) {
	var secrets stack.Secrets
	var kept map[string]string
	switch err := dir.ReadJSON(secretsName, &kept); {
	case err == nil:
		for name, into := range secrets.Named() {
			*into = secret.New(kept[name])
		}
		return secrets, nil
	case !errors.Is(err, fs.ErrNotExist):
		return stack.Secrets{}, err
	}
	secrets, err := stack.NewSecrets()
	if err != nil {
		return stack.Secrets{}, err
	}
	kept = map[string]string{}
	for name, drawn := range secrets.Named() {
		kept[name] = drawn.Reveal()
	}
	return secrets, dir.WriteJSON(secretsName, kept)
}
