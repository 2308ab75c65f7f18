// A grid as a file: CSV for a spreadsheet, NPY for NumPy. Both keep every float32 exactly.
import { roundTrip } from "../format.js";

const quote = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** RFC 4180, labels (else indices) as the first row and column; −inf is written as numpy reads it. A vector is one row. */
export function csv({ data, shape, rows, cols }) {
  if (shape.length > 2) throw new RangeError(`shape=${shape} is not a table: export one index of it`);
  const [down, across] = shape.length === 2 ? shape : [1, shape[0] ?? 1];
  const lines = [["", ...Array.from({ length: across }, (_, col) => quote(cols?.[col] ?? String(col)))]];
  for (let row = 0; row < down; row++) {
    const values = Array.from(data.subarray(row * across, (row + 1) * across), roundTrip);
    lines.push([quote(rows?.[row] ?? String(row)), ...values]);
  }
  return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

const MAGIC = [0x93, ..."NUMPY"].map((sign) => sign.charCodeAt?.() ?? sign);
const ALIGN = 64;

/** NPY version 1.0, little-endian float32 in C order, any shape: numpy.load() gives back the same array. */
export function npy({ data, shape }) {
  const tuple = shape.length === 1 ? `(${shape[0]},)` : `(${shape.join(", ")})`;
  const description = `{'descr': '<f4', 'fortran_order': False, 'shape': ${tuple}, }`;
  const prefix = MAGIC.length + 4; // version and header length
  const header = description.padEnd(Math.ceil((prefix + description.length + 1) / ALIGN) * ALIGN - prefix - 1) + "\n";
  const bytes = new Uint8Array(prefix + header.length + 4 * data.length);
  const view = new DataView(bytes.buffer);
  bytes.set([...MAGIC, 1, 0]);
  view.setUint16(MAGIC.length + 2, header.length, true);
  bytes.set(new TextEncoder().encode(header), prefix);
  data.forEach((value, at) => view.setFloat32(prefix + header.length + 4 * at, value, true));
  return bytes;
}
