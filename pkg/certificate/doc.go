// Package certificate configures TLS of servers and clients from a directory of files, as cert-manager writes them into a
// Secret:
//
//	tls.crt  the certificate, then those between it and the authority, PEM
//	tls.key  its private key, PEM
//	ca.crt   the authorities that are trusted, PEM
//
// # Renewal
//
// A certificate lives for weeks and a process for longer. Files are checked again when a connection is opened, at most once in
// an interval, and a change takes effect with that connection: no restart, no watcher, no goroutine. Connections that are open
// stay as they are. A certificate and its key are replaced one after the other, and a look may fall in between: what cannot be
// used is logged once, and what was there before is kept until the files can be used again.
//
// # What is checked
//
// A client asks for a certificate that an authority of ca.crt has signed and that names the host it has dialled, in TLS 1.2 or
// later. The system's authorities are not used. A server requests no client certificate: callers are authenticated by
// signatures within the calls (packages principal and rpc).
//
// # Authorities of others
//
// Authorities are for connections to servers that are no services: databases, Redis. They are those of the system, and those of
// the files of SSL_CERT_DIR and SSL_CERT_FILE as they are when a connection is opened. An authority that is taken away there is
// trusted until the process ends, because Go keeps what it read first.
//
// The package does not issue certificates and does not report their expiry; cert-manager does both.
package certificate
