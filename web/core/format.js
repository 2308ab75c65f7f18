// Numbers as a reader sees them: a true minus sign, powers of ten written out, no trailing zeros.
const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].map((raised, digit) => [digit, raised])) };
const raise = (exponent) => [...String(exponent)].map((sign) => RAISED[sign]).join("");
const signed = (text) => text.replace("-", "−");

/** At most `digits` significant digits: 0.437251, −2.5, 3.2×10⁻⁷, −∞, NaN. */
export function number(value, digits = 6) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = Number(exponent);
  if (power >= -3 && power < Math.max(digits, 4)) return signed(String(Number(value.toPrecision(digits))));
  const factor = signed(String(Number(mantissa)));
  const whole = /^(−?)1$/.exec(factor);
  return whole ? `${whole[1]}10${raise(power)}` : `${factor}×10${raise(power)}`;
}

export const shapeText = (shape) => shape.join("×");

/** The shortest decimal that reads back as the same float32 (0.1, not 0.10000000149011612). */
export function roundTrip(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0";
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return String(short);
  }
  return String(Number(value.toPrecision(9)));
}
