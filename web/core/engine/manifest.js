// manifest.json: the version, the labs, and every file of the boot with its size and SHA-256.
import { site } from "../../site.js";
import { EngineError } from "./engine-error.js";

export async function loadManifest() {
  const fail = (reason, message, status) => {
    throw new EngineError({ type: "FileError", stage: "download", file: "manifest.json", reason, status, message: `manifest.json: ${message}` });
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
