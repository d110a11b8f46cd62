/** The generated look of a name without a picture: hash, hue and first character. */

/** A stable hash of a text (FNV-1a, 32 bit), so that the same name always gets the same generated picture. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A hue in degrees for a name, one of twelve distinct ones. */
export function hueOf(text: string): number {
  return (hashOf(text) % 12) * 30 + 15;
}

/** The first character of a name, complete even when it takes two UTF-16 units. */
export function initialOf(text: string): string {
  return text.slice(0, (text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1);
}
