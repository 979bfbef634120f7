package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"strconv"
	"strings"
	"time"
)

// verify checks X-Webhook-Signature: sha256= and the HMAC-SHA256, in hex, of the raw body. The key is the
// whole text of the secret.
func verify(body []byte, signature string, secrets []string) bool {
	for _, secret := range secrets {
		// An attacker can sign with an empty secret, because its key is public knowledge.
		if strings.TrimSpace(strings.TrimPrefix(secret, "whsec_")) == "" {
			continue
		}
		expected := "sha256=" + hex.EncodeToString(sign([]byte(secret), body))
		if hmac.Equal([]byte(expected), []byte(signature)) {
			return true
		}
	}
	return false
}

// verifyStandard checks Standard Webhooks: the signature covers webhook-id, webhook-timestamp and the raw
// body.
// It refuses a timestamp that differs from now by more than five minutes.
func verifyStandard(body []byte, id, timestamp, signatures string, secrets []string, now time.Time) bool {
	sent, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || now.Sub(time.Unix(int64(sent), 0)).Abs() > 5*time.Minute {
		return false
	}
	for _, secret := range secrets {
		key := []byte(secret)
		if encoded, found := strings.CutPrefix(secret, "whsec_"); found {
			if key, err = base64.StdEncoding.DecodeString(encoded); err != nil {
				continue
			}
		}
		// An attacker could guess a shorter key.
		if len(key) < 24 {
			continue
		}
		digest := sign(key, []byte(id+"."+timestamp+"."), body)
		expected := "v1," + base64.StdEncoding.EncodeToString(digest)
		for _, signature := range strings.Split(signatures, " ") {
			if hmac.Equal([]byte(expected), []byte(signature)) {
				return true
			}
		}
	}
	return false
}

func sign(key []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, key)
	for _, part := range parts {
		mac.Write(part)
	}
	return mac.Sum(nil)
}
