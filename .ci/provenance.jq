# The SLSA provenance, version 1, of the image of one service, from the variables of .ci/release and the SBOMs of the image.

# A module without a checksum is a folder of the source. The checksum is that of go.sum in hexadecimal, which in-toto calls dirHash.
def modules:
  map(.packages[] | select(.checksums and (.externalRefs[0].referenceLocator | startswith("pkg:golang/")))
    | {uri: .externalRefs[0].referenceLocator, digest: {dirHash: .checksums[0].checksumValue | ascii_downcase}})
  | unique_by(.uri);

def base:
  capture("^(?<repository>.*?)(:[^/@]*)?@sha256:(?<sha256>.*)$")
  | {
      uri: "pkg:oci/\(.repository | split("/") | last)@sha256%3A\(.sha256)?repository_url=\(.repository | @uri)",
      name: $ENV.base,
      digest: {sha256}
    };

{
  buildDefinition: {
    buildType: "https://sellerapi.dev/charts/seller-open-api/README.md#releases",
    externalParameters: ($ENV | {source, commit, package, version: .VERSION, baseImage: .base, platforms: (.platforms / ",")}),
    internalParameters: ($ENV | {ldflags: .LDFLAGS, environment: {SOURCE_DATE_EPOCH, KO_DATA_DATE_EPOCH, GOFLAGS, CGO_ENABLED}}),
    resolvedDependencies: (
      [{uri: "git+\($ENV.source)@\($ENV.commit)", digest: {gitCommit: $ENV.commit}}, ($ENV.base | base)] + ([inputs] | modules)
    )
  },
  runDetails: {
    builder: {id: $ENV.builder, version: ($ENV | {go, ko: .KO, cosign: .COSIGN})},
    metadata: {startedOn: $ENV.started, finishedOn: (now | todate)},
    byproducts: ($ENV.sums / "\n" | map(. / "  " | {name: .[1], digest: {sha256: .[0]}}))
  }
}
