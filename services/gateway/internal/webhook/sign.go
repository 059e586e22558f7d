package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"sellerapi.dev/pkg/secret"
)

// secretPrefix tells people and scanners what a secret is; what follows is base64.
const secretPrefix = "whsec_"

// secretBytes is the length of a secret's key.
const secretBytes = 32

// The headers of the Standard Webhooks specification.
const (
	HeaderID        = "Webhook-Id"
	HeaderTimestamp = "Webhook-Timestamp"
	HeaderSignature = "Webhook-Signature"
)

// newSecret returns a random secret.
func newSecret() secret.Text {
	key := make([]byte, secretBytes)
	_, _ = rand.Read(key) // it never fails
	return secret.New(secretPrefix + base64.StdEncoding.EncodeToString(key))
}

// sign adds the headers of a delivery, with a signature for each secret.
func sign(header http.Header, id string, at time.Time, body []byte, secrets Secrets) error {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signatures := make([]string, 0, len(secrets))
	for _, text := range secrets {
		key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text.Reveal(), secretPrefix))
		if err != nil {
			return fmt.Errorf("decode the secret of a webhook: %w", err)
		}
		mac := hmac.New(sha256.New, key)
		_, _ = fmt.Fprintf(mac, "%s.%s.%s", id, timestamp, body)
		signatures = append(signatures, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	header.Set(HeaderID, id)
	header.Set(HeaderTimestamp, timestamp)
	header.Set(HeaderSignature, strings.Join(signatures, " "))
	return nil
}
