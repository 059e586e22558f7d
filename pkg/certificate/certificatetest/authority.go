// Package certificatetest issues certificates for tests, as cert-manager would.
package certificatetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const life = 24 * time.Hour

// Authority signs certificates.
type Authority struct {
	// PEM is its certificate.
	PEM []byte

	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
}

// NewAuthority returns an authority that no trust store contains yet.
func NewAuthority(t *testing.T) *Authority {
	t.Helper()
	template := newTemplate(t, "authority")
	template.IsCA, template.BasicConstraintsValid, template.KeyUsage = true, true, x509.KeyUsageCertSign
	key := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	require.NoError(t, err)
	certificate, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	return &Authority{PEM: block("CERTIFICATE", der), certificate: certificate, key: key}
}

// Pool returns a pool with only this authority.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.certificate)
	return pool
}

// Write puts a new certificate for the hosts, names or addresses, its key and the authority into dir. Files of before are
// replaced.
func (a *Authority) Write(t *testing.T, dir string, hosts ...string) {
	t.Helper()
	certificate, key := a.Issue(t, hosts...)
	for name, content := range map[string][]byte{"tls.crt": certificate, "tls.key": key, "ca.crt": a.PEM} {
		Replace(t, filepath.Join(dir, name), content)
	}
}

// Issue returns a new certificate for the hosts and its key, in PEM.
func (a *Authority) Issue(t *testing.T, hosts ...string) (certificate, key []byte) {
	t.Helper()
	template := newTemplate(t, "service")
	template.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	for _, host := range hosts {
		if address := net.ParseIP(host); address != nil {
			template.IPAddresses = append(template.IPAddresses, address)
			continue
		}
		template.DNSNames = append(template.DNSNames, host)
	}
	private := newKey(t)
	der, err := x509.CreateCertificate(rand.Reader, template, a.certificate, private.Public(), a.key)
	require.NoError(t, err)
	text, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return block("CERTIFICATE", der), block("PRIVATE KEY", text)
}

// Replace puts a file in the place of another one, so that a reader sees one of them whole.
func Replace(t *testing.T, path string, content []byte) {
	t.Helper()
	require.NoError(t, os.WriteFile(path+".new", content, 0o600))
	require.NoError(t, os.Rename(path+".new", path))
}

// newTemplate is what every certificate has; its serial number tells it from all others.
func newTemplate(t *testing.T, name string) *x509.Certificate {
	t.Helper()
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 120))
	require.NoError(t, err)
	now := time.Now()
	return &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(life),
	}
}

func newKey(t *testing.T) *ecdsa.PrivateKey {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return key
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
