<?php

declare(strict_types=1);

/**
 * Verifies X-Webhook-Signature: sha256= and the HMAC-SHA256, in hex, of the raw body. The key is the whole
 * text of the secret.
 */
function verify(string $body, string $signature, array $secrets): bool
{
    foreach ($secrets as $secret) {
        // An attacker can sign with an empty secret, because its key is public knowledge.
        if (preg_match('/\A(?:whsec_)?\s*\z/', $secret) === 1) {
            continue;
        }
        $expected = 'sha256=' . hash_hmac('sha256', $body, $secret);
        if (hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

/**
 * Verifies Standard Webhooks: the signature covers webhook-id, webhook-timestamp and the raw body. Refuses a
 * timestamp that differs from now by more than five minutes.
 */
function verifyStandard(
    string $body,
    string $id,
    string $timestamp,
    string $signatures,
    array $secrets,
    ?int $now = null
): bool {
    if (preg_match('/\A[0-9]{1,12}\z/', $timestamp) !== 1 || abs(($now ?? time()) - (int) $timestamp) > 300) {
        return false;
    }
    foreach ($secrets as $secret) {
        $key = keyOf($secret);
        if ($key === null) {
            continue;
        }
        $digest = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
        $expected = 'v1,' . base64_encode($digest);
        foreach (explode(' ', $signatures) as $signature) {
            if (hash_equals($expected, $signature)) {
                return true;
            }
        }
    }
    return false;
}

/**
 * Returns null unless the secret has 24 bytes or more and, after whsec_, is Base64. An attacker could guess a
 * shorter key.
 */
function keyOf(string $secret): ?string
{
    $isEncoded = str_starts_with($secret, 'whsec_');
    $key = $isEncoded ? (string) base64_decode(substr($secret, 6), true) : $secret;
    if ($isEncoded && 'whsec_' . base64_encode($key) !== $secret) {
        return null;
    }
    return strlen($key) < 24 ? null : $key;
}
