package release

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"
	"time"
)

// BuildType identifies how the parameters of a build are to be read: as those of ko, called by `make release`.
const BuildType = "https://sellerapi.dev/charts/seller-open-api/README.md#releases"

// Predicate is an SLSA provenance predicate, version 1.
type Predicate struct {
	BuildDefinition definition `json:"buildDefinition"`
	RunDetails      run        `json:"runDetails"`
}

type definition struct {
	BuildType    string     `json:"buildType"`
	External     parameters `json:"externalParameters"`
	Internal     internals  `json:"internalParameters"`
	Dependencies []Material `json:"resolvedDependencies"`
}

type parameters struct {
	Source    string   `json:"source"`
	Commit    string   `json:"commit"`
	Package   string   `json:"package"`
	Version   string   `json:"version"`
	BaseImage string   `json:"baseImage"`
	Platforms []string `json:"platforms"`
}

type internals struct {
	Ldflags     string            `json:"ldflags"`
	Environment map[string]string `json:"environment"`
}

type run struct {
	Builder    builder    `json:"builder"`
	Metadata   metadata   `json:"metadata"`
	Byproducts []Material `json:"byproducts"`
}

type builder struct {
	ID      string            `json:"id"`
	Version map[string]string `json:"version"`
}

type metadata struct {
	StartedOn  time.Time `json:"startedOn"`
	FinishedOn time.Time `json:"finishedOn"`
}

// Build describes how an image was built.
type Build struct {
	Source  string // URL of the repository
	Commit  string
	Package string // folder of the program in the repository
	Version string
	Builder string // URI of the builder
	Ldflags string
	// Environment has the variables that affect the result of the build.
	Environment map[string]string
	// Tools has the versions of the programs that built the image.
	Tools             map[string]string
	Started, Finished time.Time
	// SBOMs has the SPDX documents by file name.
	SBOMs map[string][]byte
}

// Provenance returns the predicate for a built image.
func Provenance(b Build, image Image) (Predicate, error) {
	byproducts := make([]Material, 0, len(b.SBOMs))
	documents := make([][]byte, 0, len(b.SBOMs))
	for _, file := range slices.Sorted(maps.Keys(b.SBOMs)) {
		sum := sha256.Sum256(b.SBOMs[file])
		byproducts = append(byproducts, Material{Name: file, Digest: map[string]string{"sha256": hex.EncodeToString(sum[:])}})
		documents = append(documents, b.SBOMs[file])
	}
	modules, err := moduleMaterials(documents...)
	if err != nil {
		return Predicate{}, err
	}
	platforms := make([]string, len(image.Platforms))
	for n, platform := range image.Platforms {
		platforms[n] = platform.Name
	}
	return Predicate{
		BuildDefinition: definition{
			BuildType: BuildType,
			External: parameters{
				Source: b.Source, Commit: b.Commit, Package: b.Package, Version: b.Version,
				BaseImage: image.Base.Name, Platforms: platforms,
			},
			Internal:     internals{Ldflags: b.Ldflags, Environment: b.Environment},
			Dependencies: append([]Material{sourceMaterial(b.Source, b.Commit), image.Base}, modules...),
		},
		RunDetails: run{
			Builder:    builder{ID: b.Builder, Version: b.Tools},
			Metadata:   metadata{StartedOn: b.Started.UTC(), FinishedOn: b.Finished.UTC()},
			Byproducts: byproducts,
		},
	}, nil
}
