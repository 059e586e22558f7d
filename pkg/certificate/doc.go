// Package certificate configures TLS of servers and clients from a directory of files, as cert-manager writes them into a Secret:
//
//	tls.crt  the certificate, then those between it and the authority, PEM
//	tls.key  its private key, PEM
//	ca.crt   the authorities that are trusted, PEM
//
// # Renewal
//
// A process outlives its certificate. Files are checked when a connection is opened, at most once per interval, and changes apply
// from that connection on: no restart, no watcher, no goroutine. Open connections are not affected. A certificate and its key are
// replaced one after the other, and a check may happen in between: unusable files are logged once, and the previous ones are used
// until the files are usable again.
//
// # What is checked
//
// A client requires a certificate that an authority of ca.crt has signed and that names the dialled host, in TLS 1.2 or later. System
// authorities are not trusted. A server requires no client certificate: callers are authenticated by signatures within the calls
// (packages principal and rpc).
//
// The package does not issue certificates and does not report their expiry; cert-manager does both.
package certificate
