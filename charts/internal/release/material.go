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
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Material is a ResourceDescriptor of in-toto: something that a build took or made.
type Material struct {
	URI    string            `json:"uri,omitempty"`
	Name   string            `json:"name,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

// ociMaterial is an image in a registry, by its package URL.
func ociMaterial(reference, digest string) (Material, error) {
	if reference == "" || digest == "" {
		return Material{}, errNoBase
	}
	parsed, err := name.ParseReference(reference)
	if err != nil {
		return Material{}, err
	}
	hash, err := v1.NewHash(digest)
	if err != nil {
		return Material{}, err
	}
	repository := parsed.Context().Name()
	query := url.Values{"repository_url": {repository}}
	uri := "pkg:oci/" + path.Base(repository) + "@" + url.QueryEscape(digest) + "?" + query.Encode()
	return Material{URI: uri, Name: reference, Digest: map[string]string{hash.Algorithm: hash.Hex}}, nil
}

// sourceMaterial is the commit that was built.
func sourceMaterial(source, commit string) Material {
	return Material{URI: "git+" + source + "@" + commit, Digest: map[string]string{"gitCommit": commit}}
}

// bom is what is read of an SBOM in SPDX.
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

// moduleMaterials are the Go modules with a checksum that SBOMs list, each once. Those without one are folders of the source.
// The checksum is the one of go.sum in hexadecimal, which in-toto calls dirHash.
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
