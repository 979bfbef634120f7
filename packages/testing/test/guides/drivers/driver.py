import base64
import sys

from verify import verify, verify_standard

for line in sys.stdin:
    body, *rest = [base64.b64decode(field) for field in line.rstrip("\n").split("\t")]
    scheme, secrets, signature, id, timestamp, now = [field.decode() for field in rest]
    keys = secrets.split("\n")
    if scheme == "v1":
        print(str(verify(body, signature, keys)).lower())
    else:
        print(str(verify_standard(body, id, timestamp, signature, keys, int(now))).lower())
