package service

import (
	"runtime/debug"
)

// version is set by the linker in released builds: -ldflags "-X sellerapi.dev/pkg/service.version=1.2.3".
var version = ""

// Version returns the version given to the linker, else the revision of the source tree, else "devel".
func Version() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	return versionFrom(info)
}

// versionFrom reads the revision out of the build information; "+dirty" marks a tree with changes.
func versionFrom(info *debug.BuildInfo) string {
	revision, dirty := "devel", ""
	for _, setting := range info.Settings {
		switch {
		case setting.Key == "vcs.revision" && len(setting.Value) >= 12:
			revision = setting.Value[:12]
		case setting.Key == "vcs.modified" && setting.Value == "true":
			dirty = "+dirty"
		}
	}
	return revision + dirty
}
