import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode()


def is_genuine(body: bytes, header: str) -> bool:
    fields = [tuple(field.partition("=")[::2]) for field in header.split(",")]
    sent_at = next((value for name, value in fields if name == "t"), "")
    if not (sent_at.isascii() and sent_at.isdigit()) or abs(time.time() - int(sent_at)) > 300:
        return False
    expected = hmac.new(SECRET, sent_at.encode() + b"." + body, hashlib.sha256).hexdigest()
    return any(name == "v1" and hmac.compare_digest(value.encode(), expected.encode()) for name, value in fields)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        genuine = is_genuine(body, self.headers.get("service-signature", ""))
        self.send_response(204 if genuine else 401)
        self.end_headers()
        if genuine:
            event = json.loads(body)
            order = event["context"]["order"]["order_number"]
            print(f"python: {event['ref']} of order {order}, {self.headers['webhook-id']}", flush=True)

    def log_message(self, *_):
        pass


print("python: waiting for webhooks", flush=True)
ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 3001))), Receiver).serve_forever()
