import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class Verify {
    /**
     * Verifies X-Webhook-Signature: sha256= and the HMAC-SHA256, in hex, of the raw body. The key is the
     * whole text of the secret.
     */
    static boolean verify(byte[] body, String signature, List<String> secrets) {
        return secrets.stream().anyMatch(secret -> {
            // An attacker can sign with an empty secret, because its key is public knowledge.
            if (secret.replaceFirst("^whsec_", "").isBlank()) return false;
            String expected = "sha256=" + HexFormat.of().formatHex(sign(secret.getBytes(UTF_8), body));
            return isSame(expected, signature);
        });
    }

    /**
     * Verifies Standard Webhooks: the signature covers webhook-id, webhook-timestamp and the raw body.
     * Refuses a timestamp that differs from now by more than five minutes.
     */
    static boolean verifyStandard(
            byte[] body, String id, String timestamp, String signatures, List<String> secrets, Instant now) {
        if (!timestamp.matches("[0-9]{1,12}")) return false;
        if (Math.abs(now.getEpochSecond() - Long.parseLong(timestamp)) > 300) return false;
        byte[] head = (id + "." + timestamp + ".").getBytes(UTF_8);
        return secrets.stream().anyMatch(secret -> {
            byte[] key = keyOf(secret);
            if (key.length < 24) return false;
            String expected = "v1," + Base64.getEncoder().encodeToString(sign(key, head, body));
            return List.of(signatures.split(" ")).stream().anyMatch(each -> isSame(expected, each));
        });
    }

    /**
     * Returns an empty key if the secret, after whsec_, is not Base64. The caller refuses keys of less than
     * 24 bytes, because an attacker could guess them.
     */
    private static byte[] keyOf(String secret) {
        if (!secret.startsWith("whsec_")) return secret.getBytes(UTF_8);
        try {
            return Base64.getDecoder().decode(secret.substring(6));
        } catch (IllegalArgumentException error) {
            return new byte[0];
        }
    }

    private static byte[] sign(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            for (byte[] part : parts) mac.update(part);
            return mac.doFinal();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static boolean isSame(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
    }
}
