package certificate

import (
	"crypto/x509"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Authorities are what a client of a database, of Redis and the like trusts: the authorities of the system, and those of some
// files. Go reads both once in the life of a process. An authority that is renewed under a running process would end with its
// old certificate, and with it each new connection.
type Authorities struct{ pool *watched[*x509.CertPool] }

// SystemAuthorities are those of the system and of SSL_CERT_FILE and SSL_CERT_DIR. They are read when they are needed first:
// they take a megabyte of memory.
func SystemAuthorities(log *slog.Logger) *Authorities {
	paths := filepath.SplitList(os.Getenv("SSL_CERT_DIR"))
	if file := os.Getenv("SSL_CERT_FILE"); file != "" {
		paths = append(paths, file)
	}
	return NewAuthorities(paths, interval, log)
}

// NewAuthorities returns the authorities of the system and of paths, which are files and folders of files. They are checked
// again at most once in an interval. As in crypto/x509, a path need not exist, and files without certificates are ignored.
func NewAuthorities(paths []string, interval time.Duration, log *slog.Logger) *Authorities {
	return &Authorities{&watched[*x509.CertPool]{
		setting: "SSL_CERT_DIR", interval: interval, log: log,
		list:  func() []string { return filesUnder(paths) },
		parse: func(contents [][]byte) (*x509.CertPool, error) { return beyondSystem(contents), nil },
	}}
}

// Roots returns the authorities as they are now; nil, which is those of the system, if a file has never been readable. The pool
// must not be changed.
func (a *Authorities) Roots() *x509.CertPool { return a.pool.current() }

// beyondSystem returns the authorities of the system with those of some files. Those that the process started with remain.
func beyondSystem(contents [][]byte) *x509.CertPool {
	pool, err := x509.SystemCertPool()
	if err != nil { // the system has none
		pool = x509.NewCertPool()
	}
	for _, content := range contents {
		pool.AppendCertsFromPEM(content)
	}
	return pool
}

// filesUnder returns the files among the paths and directly in the folders among them.
func filesUnder(paths []string) []string {
	var files []string
	for _, path := range paths {
		entries, err := os.ReadDir(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil: // no folder, or not readable, which reading it as a file says
			files = append(files, path)
			continue
		}
		for _, entry := range entries {
			// A volume of Kubernetes has its versions in hidden folders, and links to their files.
			if !entry.IsDir() && !strings.HasPrefix(entry.Name(), "..") {
				files = append(files, filepath.Join(path, entry.Name()))
			}
		}
	}
	return files
}
