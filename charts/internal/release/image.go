// Package release writes the provenance of the images of a release.
package release

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// baseName is the annotation in which ko names the base image. The annotation with the digest is useless: for a base that is an
// OCI index, ko computes the digest after it has annotated the base, so no registry has an image with that digest.
const baseName = "org.opencontainers.image.base.name"

// Image is what the registry has for one service: an index, and an image for each platform.
type Image struct {
	Reference string     // by digest
	Base      Material   // the base image that ko used
	Platforms []Platform // in the order of the index
}

// Platform is the image of one platform.
type Platform struct {
	Name      string // such as linux/amd64
	Reference string // by digest
}

// Inspect reads the index with the given reference, which must be by digest, from its registry.
func Inspect(ctx context.Context, reference string) (Image, error) {
	digest, err := name.NewDigest(reference)
	if err != nil {
		return Image{}, fmt.Errorf("image reference: %w", err)
	}
	index, err := remote.Index(digest, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
	if err != nil {
		return Image{}, fmt.Errorf("read index %s: %w", reference, err)
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return Image{}, fmt.Errorf("index %s: %w", reference, err)
	}
	image := Image{Reference: reference}
	for _, entry := range manifest.Manifests {
		if entry.Platform == nil {
			return Image{}, fmt.Errorf("index %s: %s has no platform", reference, entry.Digest)
		}
		image.Platforms = append(image.Platforms, Platform{
			Name:      entry.Platform.String(),
			Reference: digest.Context().Digest(entry.Digest.String()).Name(),
		})
	}
	image.Base, err = ociMaterial(manifest.Annotations[baseName])
	if err != nil {
		return Image{}, fmt.Errorf("index %s: base image: %w", reference, err)
	}
	return image, nil
}
