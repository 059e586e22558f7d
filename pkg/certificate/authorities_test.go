package certificate_test

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
)

func trusted(t *testing.T, pool *x509.CertPool, authority *certificatetest.Authority) bool {
	t.Helper()
	text, _ := authority.Issue(t, host)
	block, _ := pem.Decode(text)
	leaf, err := x509.ParseCertificate(block.Bytes)
	require.NoError(t, err)
	_, err = leaf.Verify(x509.VerifyOptions{Roots: pool})
	return err == nil
}

// volume writes a file as a volume of Kubernetes has it: a link to a link to a version.
func volume(t *testing.T, dir, version, name string, content []byte) {
	t.Helper()
	require.NoError(t, os.Mkdir(filepath.Join(dir, version), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, version, name), content, 0o600))
	require.NoError(t, os.Symlink(version, filepath.Join(dir, "..data.new")))
	require.NoError(t, os.Rename(filepath.Join(dir, "..data.new"), filepath.Join(dir, "..data")))
	if _, err := os.Lstat(filepath.Join(dir, name)); err != nil {
		require.NoError(t, os.Symlink(filepath.Join("..data", name), filepath.Join(dir, name)))
	}
}

// The operator of a database renews its authority every few weeks: a process that is older trusts the renewed one without a
// restart.
func TestAuthorities_renewed(t *testing.T) {
	t.Parallel()
	old, renewed, file := certificatetest.NewAuthority(t), certificatetest.NewAuthority(t), certificatetest.NewAuthority(t)
	dir, path := t.TempDir(), filepath.Join(t.TempDir(), "ca.pem")
	volume(t, dir, "..1", "0.crt", old.PEM)
	certificatetest.Replace(t, path, file.PEM)
	authorities := certificate.NewAuthorities([]string{dir, path, filepath.Join(dir, "missing")}, always, silent)
	before := authorities.Roots()
	require.True(t, trusted(t, before, old))
	require.True(t, trusted(t, before, file))
	require.False(t, trusted(t, before, renewed))
	require.Same(t, before, authorities.Roots(), "no new pool without a change")

	volume(t, dir, "..2", "0.crt", renewed.PEM)
	require.True(t, trusted(t, authorities.Roots(), renewed))
}

// Without paths the authorities are those of the system.
func TestAuthorities_ofTheSystem(t *testing.T) {
	t.Parallel()
	authorities := certificate.NewAuthorities(nil, time.Hour, silent)
	system, err := x509.SystemCertPool()
	require.NoError(t, err)
	require.True(t, system.Equal(authorities.Roots()))
}

// The variables are those that Go and OpenSSL know.
func TestAuthorities_variables(t *testing.T) {
	dirs, file := [2]string{t.TempDir(), t.TempDir()}, filepath.Join(t.TempDir(), "ca.pem")
	paths := []string{filepath.Join(dirs[0], "a.crt"), filepath.Join(dirs[1], "b.pem"), file}
	all := make([]*certificatetest.Authority, len(paths))
	for n, path := range paths {
		all[n] = certificatetest.NewAuthority(t)
		certificatetest.Replace(t, path, all[n].PEM)
	}
	t.Setenv("SSL_CERT_DIR", dirs[0]+string(filepath.ListSeparator)+dirs[1])
	t.Setenv("SSL_CERT_FILE", file)
	authorities := certificate.SystemAuthorities(silent)
	for n, authority := range all {
		require.True(t, trusted(t, authorities.Roots(), authority), n)
	}
}
