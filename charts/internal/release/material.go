package release

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
)

// Material is an in-toto ResourceDescriptor: an input or output of a build.
type Material struct {
	URI    string            `json:"uri,omitempty"`
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// ociMaterial returns the material for an image in a registry, named by its package URL. It rejects a reference by tag, which
// does not identify the image that was used.
func ociMaterial(reference string) (Material, error) {
	digest, err := name.NewDigest(reference)
	if err != nil {
		return Material{}, err
	}
	algorithm, hex, _ := strings.Cut(digest.DigestStr(), ":")
	repository := digest.Context().Name()
	query := url.Values{"repository_url": {repository}}
	uri := "pkg:oci/" + path.Base(repository) + "@" + url.QueryEscape(digest.DigestStr()) + "?" + query.Encode()
	return Material{URI: uri, Name: reference, Digest: map[string]string{algorithm: hex}}, nil
}

func sourceMaterial(source, commit string) Material {
	return Material{URI: "git+" + source + "@" + commit, Digest: map[string]string{"gitCommit": commit}}
}

type bom struct {
	Packages []struct {
		ExternalRefs []struct {
			Locator string `json:"referenceLocator"`
		} `json:"externalRefs"`
		Checksums []struct {
			Algorithm string `json:"algorithm"`
			Value     string `json:"checksumValue"`
		} `json:"checksums"`
	} `json:"packages"`
}

// Modules without a checksum are folders of the source. The checksum is that of go.sum in hexadecimal, which in-toto calls
// dirHash.
func moduleMaterials(documents ...[]byte) ([]Material, error) {
	var modules []Material
	for _, document := range documents {
		var listed bom
		if err := json.Unmarshal(document, &listed); err != nil {
			return nil, fmt.Errorf("SBOM: %w", err)
		}
		for _, p := range listed.Packages {
			if len(p.Checksums) == 0 || len(p.ExternalRefs) == 0 || !strings.HasPrefix(p.ExternalRefs[0].Locator, "pkg:golang/") {
				continue
			}
			modules = append(modules, Material{
				URI: p.ExternalRefs[0].Locator, Digest: map[string]string{"dirHash": strings.ToLower(p.Checksums[0].Value)},
			})
		}
	}
	slices.SortFunc(modules, func(a, b Material) int { return cmp.Compare(a.URI, b.URI) })
	return slices.CompactFunc(modules, func(a, b Material) bool { return a.URI == b.URI }), nil
}
