// SHA-256 of bytes, in hex. The browser's own is missing where the page came by plain http from another machine.
export async function sha256(bytes) {
  const digest = globalThis.crypto?.subtle
    ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
    : (await import("../vendor/noble-sha256.js")).sha256(bytes);
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
