// A token as it is written where it stands alone: what would be invisible has a sign.
const SIGNS = { " ": "␣", "\n": "⏎", "\t": "⇥", "\u3000": "␣" };

export const isBlank = (token) => !token.trim();
export const tokenText = (token) => token.replace(/^[ \u3000]|[\n\t]/g, (sign) => SIGNS[sign]).replace(/[ \u3000]$/, "␣");
