import base64
import hashlib
import hmac
import re
import time


def verify(body: bytes, signature: str, secrets: list[str]) -> bool:
    """Verifies X-Webhook-Signature: sha256= and the HMAC-SHA256, in hex, of the raw body.

    The key is the whole text of the secret.
    """
    # An attacker can sign with an empty secret, because its key is public knowledge.
    known = [secret for secret in secrets if not re.fullmatch(r"(?:whsec_)?\s*", secret)]
    expected = ["sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest() for secret in known]
    return any(is_same(each, signature) for each in expected)


def verify_standard(body: bytes, id: str, timestamp: str, signatures: str, secrets: list[str], now=None) -> bool:
    """Verifies Standard Webhooks: the signature covers webhook-id, webhook-timestamp and the raw body.

    Refuses a timestamp that differs from now by more than five minutes.
    """
    now = time.time() if now is None else now
    if not re.fullmatch("[0-9]{1,12}", timestamp) or abs(now - int(timestamp)) > 300:
        return False
    signed = f"{id}.{timestamp}.".encode() + body
    for secret in secrets:
        key = key_of(secret)
        if key is None:
            continue
        digest = hmac.new(key, signed, hashlib.sha256).digest()
        expected = "v1," + base64.b64encode(digest).decode()
        if any(is_same(expected, each) for each in signatures.split(" ")):
            return True
    return False


def key_of(secret: str) -> "bytes | None":
    """Returns None unless the secret has 24 bytes or more and, after whsec_, is Base64.

    An attacker could guess a shorter key.
    """
    try:
        key = base64.b64decode(secret[6:], validate=True) if secret.startswith("whsec_") else secret.encode()
    except ValueError:
        return None
    return key if len(key) >= 24 else None


def is_same(expected: str, given: str) -> bool:
    return hmac.compare_digest(expected.encode(), given.encode())
