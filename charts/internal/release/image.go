// Package release writes what goes with the images of a release: their provenance, and the chart that names them by digest.
package release

import (
	"context"
	"fmt"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// baseName is the annotation in which ko names the base image. That of the digest beside it is of no use: for a base that is an OCI
// index, ko takes the digest after it has annotated the base, so no registry has it.
const baseName = "org.opencontainers.image.base.name"

// Image is what the registry holds for one service: an index, and an image for each platform.
type Image struct {
	Reference string     // by digest
	Base      Material   // the base image that ko took
	Platforms []Platform // in the order of the index
}

// Platform is the image of one platform.
type Platform struct {
	Name      string // such as linux/amd64
	Reference string // by digest
}

// Inspect reads the index that a reference by digest names.
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
