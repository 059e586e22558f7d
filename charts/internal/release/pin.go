package release

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
)

var (
	registryLine = regexp.MustCompile(`(?m)^  registry: .*$`)
	digestsLine  = regexp.MustCompile(`(?m)^  digests: \{\}$`)
	scannedLine  = regexp.MustCompile(`(?m)^      image: \S+/([a-z-]+):\S+$`)
)

// Pin writes images, given by digest, into the chart in a folder: registry and digests into values.yaml, whole references into
// the list for scanners in Chart.yaml. It edits the files as text, to keep their comments. All files get the modification time
// when, which helm copies into the packaged chart, so that the same commit gives the same package.
func Pin(folder string, images []string, when time.Time) error {
	references, registry, err := byService(images)
	if err != nil {
		return err
	}
	var digests strings.Builder
	digests.WriteString("  digests:")
	for _, service := range sorted(references) {
		fmt.Fprintf(&digests, "\n    %s: %s", service, references[service].DigestStr())
	}
	err = edit(filepath.Join(folder, "values.yaml"), func(text string) (string, error) {
		if len(registryLine.FindAllString(text, -1)) != 1 || len(digestsLine.FindAllString(text, -1)) != 1 {
			return "", fmt.Errorf("want one line %q and one line %q", registryLine, digestsLine)
		}
		return digestsLine.ReplaceAllLiteralString(registryLine.ReplaceAllLiteralString(text, "  registry: "+registry),
			digests.String()), nil
	})
	if err != nil {
		return err
	}
	if err := edit(filepath.Join(folder, "Chart.yaml"), scanned(references)); err != nil {
		return err
	}
	return filepath.WalkDir(folder, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, when, when)
	})
}

// scanned returns an edit that pins the images that Chart.yaml names. It fails unless they are exactly those of the release.
func scanned(references map[string]name.Digest) func(string) (string, error) {
	return func(text string) (string, error) {
		var found []string
		pinned := scannedLine.ReplaceAllStringFunc(text, func(line string) string {
			service := scannedLine.FindStringSubmatch(line)[1]
			found = append(found, service)
			return "      image: " + references[service].String()
		})
		if !slices.Equal(slices.Sorted(slices.Values(found)), sorted(references)) {
			return "", fmt.Errorf("it names the images %v, the release has %v", found, sorted(references))
		}
		return pinned, nil
	}
}

// byService returns the references by service, which is the last element of the repository, and the registry with the path
// before it, which all references must share.
func byService(images []string) (references map[string]name.Digest, registry string, err error) {
	references = map[string]name.Digest{}
	for _, image := range images {
		reference, err := name.NewDigest(image, name.StrictValidation)
		if err != nil {
			return nil, "", err
		}
		place, service := path.Split(reference.Context().Name())
		place = strings.TrimSuffix(place, "/")
		if registry != "" && place != registry {
			return nil, "", fmt.Errorf("%s is not in %s", image, registry)
		}
		if _, twice := references[service]; twice {
			return nil, "", fmt.Errorf("%s is listed twice", service)
		}
		registry, references[service] = place, reference
	}
	return references, registry, nil
}

func edit(file string, change func(string) (string, error)) error {
	content, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		return err
	}
	changed, err := change(string(content))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, []byte(changed), 0o600)
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
