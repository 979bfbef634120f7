import json
import os
import sqlite3
import tempfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from verify import verify

SECRETS = [secret for secret in os.environ["WEBHOOK_SECRET"].split(",") if secret]
PORT = int(os.environ.get("PORT", "3000"))
DATABASE = os.environ.get("DATABASE", os.path.join(tempfile.gettempdir(), "plataforma-webhooks.db"))
MOST_BYTES = 1 << 20  # every notification is much smaller than this limit

KEEP_EVENT = "INSERT INTO events (id) VALUES (?) ON CONFLICT DO NOTHING"
KEEP_NEWEST = """
INSERT INTO objects (id, sequence, status) VALUES (?, ?, ?)
ON CONFLICT (id) DO UPDATE SET sequence = excluded.sequence, status = excluded.status
WHERE objects.sequence < excluded.sequence
"""


def connect() -> sqlite3.Connection:
    return sqlite3.connect(DATABASE, isolation_level=None, timeout=9)


def receive(notification: dict) -> str:
    """Applies each event once and never an older one.

    Your own writes for the event belong into this transaction.
    """
    data = notification["data"]
    if data.get("isTest"):
        return "test"
    database = connect()
    try:
        database.execute("BEGIN IMMEDIATE")
        if database.execute(KEEP_EVENT, [notification["eventId"]]).rowcount == 0:
            outcome = "duplicate"
        elif database.execute(KEEP_NEWEST, [data["id"], notification["sequence"], data["status"]]).rowcount == 0:
            outcome = "late"
        else:
            outcome = "new"
            print(f"{data['id']} is {data['status']}, says {notification['event']}", flush=True)
        database.execute("COMMIT")
        return outcome
    finally:
        database.close()


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        is_short = length.isdecimal() and int(length) <= MOST_BYTES
        body = self.rfile.read(int(length)) if is_short else b""
        if not verify(body, self.headers.get("X-Webhook-Signature", ""), SECRETS):
            return self.answer(401, "wrong signature")
        try:
            self.answer(200, receive(json.loads(body)))
        except sqlite3.Error as error:
            self.log_error("%s", error)
            self.answer(500, "try again")

    def answer(self, status: int, text: str) -> None:
        self.send_response(status)
        self.end_headers()
        self.wfile.write(text.encode() + b"\n")


if __name__ == "__main__":
    with connect() as database:
        database.execute("CREATE TABLE IF NOT EXISTS events (id TEXT PRIMARY KEY)")
        database.execute(
            "CREATE TABLE IF NOT EXISTS objects (id TEXT PRIMARY KEY, sequence INTEGER NOT NULL, status TEXT NOT NULL)"
        )
    print(f"listening on {PORT}", flush=True)
    ThreadingHTTPServer(("127.0.0.1", PORT), Receiver).serve_forever()
