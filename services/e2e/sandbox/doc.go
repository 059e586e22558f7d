// Package sandbox tests the sandbox of a test environment as developers reach it: through the gateway, with a key.
package sandbox
