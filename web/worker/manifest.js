// manifest.json: the version, the labs, and every file of the boot with its size and SHA-256.
import { site } from "../site.js";
import { FileError } from "./fetch-file.js";

const fetch = globalThis.fetch.bind(globalThis);

export async function loadManifest() {
  const fail = (reason, message, status) => {
    throw Object.assign(new FileError("manifest.json", reason, message, status), { stage: "download" });
  };
  let response;
  try {
    response = await fetch(new URL("manifest.json", site), { cache: "no-cache" });
  } catch (error) {
    fail("network", `the connection failed (${error.message})`);
  }
  if (!response.ok) fail("http", `the server answered ${response.status}`, response.status);
  return response.json().catch((error) => fail("damaged", `it is not JSON (${error.message})`));
}
