"""The headers of every response (DESIGN §6), errors and "not modified" included."""

MIME = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".bin": "application/octet-stream",
    ".safetensors": "application/octet-stream",
    ".txt": "text/plain; charset=utf-8",
}
UNKNOWN = "application/octet-stream"


def content_security_policy(*, network: bool = False) -> str:
    """`network` widens connect-src and nothing else: then micropip may install what the page does not carry."""
    connect = "connect-src 'self'" + (" https: http:" if network else "")
    return "; ".join(
        [
            "default-src 'self'",
            "script-src 'self' 'wasm-unsafe-eval'",
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",
            connect,
            "worker-src 'self' blob:",
            "frame-ancestors * app: capacitor: file:",  # * is http(s) alone; Obsidian is an app:, on iOS capacitor:
        ]
    )


def headers(*, network: bool = False) -> dict[str, str]:
    return {
        "Cross-Origin-Opener-Policy": "same-origin",  # these two isolate the page: Stop can interrupt
        "Cross-Origin-Embedder-Policy": "require-corp",
        "Cross-Origin-Resource-Policy": "cross-origin",  # and these let a note in another app install the wheel
        "Access-Control-Allow-Origin": "*",
        "Content-Security-Policy": content_security_policy(network=network),
        "X-Content-Type-Options": "nosniff",
        "Cache-Control": "no-cache",
    }
