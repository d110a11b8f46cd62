/** Inputs that make a regular expression backtrack: a prefix that it accepts, its own characters repeated, and an end that it rejects. */

export interface Pump {
  prefix: string;
  repeated: string;
  suffix: string;
}

/** Characters that most classes distinguish. */
const COMMON = [...'aZzx059 \t\n-_.@,:/"\'<>&=()[]{}|*+?!#~\\', '中', '个', '０', '\u0000'];
/** Pairs are formed from at most this many characters. */
const MAX_PAIRED = 14;
const MAX_PREFIXES = 4;

interface Atom {
  source: string;
  isRepeated: boolean;
}

const GROUP_START = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;
const ESCAPE = /^\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|k<\w+>|.)/is;

/** The end of a character class that starts at `from`, after its bracket. */
function classEnd(source: string, from: number): number {
  for (let at = from + 1; at < source.length; at++) {
    if (source[at] === '\\') at++;
    else if (source[at] === ']') return at + 1;
  }
  return source.length;
}

/** The atoms of a pattern in their order, whatever groups they are in. */
export function atomsOf(source: string): Atom[] {
  const atoms: Atom[] = [];
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const skipped = GROUP_START.exec(rest)?.[0] ?? /^[)|^$]/.exec(rest)?.[0] ?? QUANTIFIER.exec(rest)?.[0];
    if (skipped !== undefined) {
      at += skipped.length;
      continue;
    }
    const length =
      rest[0] === '['
        ? classEnd(rest, 0)
        : (ESCAPE.exec(rest)?.[0].length ?? String.fromCodePoint(rest.codePointAt(0) ?? 0).length);
    const after = QUANTIFIER.exec(rest.slice(length));
    const isRepeated = after !== null && !after[0].startsWith('?') && (after[2] === undefined || after[2] === ',');
    atoms.push({ source: rest.slice(0, length), isRepeated });
    at += length;
  }
  return atoms;
}

/** Whether anything of the pattern is repeated without a small bound. Without that it is linear. */
export const isRepeating = (source: string): boolean =>
  /(?:[*+]|\{\d+,\d*\})/.test(source.replaceAll(/\\./g, 'e').replaceAll(/\[(?:\\.|[^\]])*\]/g, 'c'));

function matcher(atom: string, flags: string): (char: string) => boolean {
  try {
    const pattern = new RegExp(`^(?:${atom})$`, flags.replaceAll(/[dgy]/g, ''));
    return (char) => pattern.test(char);
  } catch {
    return () => false;
  }
}

/** A character for each set of characters that the atoms do not distinguish. */
function representatives(alphabet: readonly string[], tests: readonly ((char: string) => boolean)[]): string[] {
  const bySignature = new Map<string, string>();
  for (const char of alphabet) {
    const signature = tests.map((test) => (test(char) ? '1' : '0')).join('');
    if (!bySignature.has(signature)) bySignature.set(signature, char);
  }
  return [...bySignature.values()];
}

/** The pumps of a pattern. */
export function pumpsOf(source: string, flags: string): Pump[] {
  const atoms = atomsOf(source);
  const written = source.replaceAll(/\\[a-zA-Z]/g, '').match(/[^\\^$.*+?()[\]{}|]/gu) ?? [];
  const alphabet = [...new Set([...written, ...COMMON])];
  const tests = atoms.map((atom) => matcher(atom.source, flags));
  const chars = representatives(alphabet, tests);
  const samples = tests.map((test) => alphabet.find(test) ?? '');
  const ends = new Set(chars.filter((char) => tests.every((test) => !test(char))).slice(0, 1));
  const suffixes = [...ends, '\u0000', ''];
  const paired = chars.slice(0, MAX_PAIRED);
  const words = paired.flatMap((a) => paired.map((b) => a + b)).filter(([a, b]) => a !== b);
  const runs = atoms.flatMap((_, i) => [2, 3, 5].map((n) => samples.slice(i, i + n).join('')));
  const repeated = [...new Set([...chars, ...words, ...runs, samples.join('')])].filter((text) => text !== '');
  const starts = atoms.flatMap(({ isRepeated }, i) => (isRepeated ? [samples.slice(0, i).join('')] : []));
  const prefixes = [...new Set(['', ...starts])].slice(0, MAX_PREFIXES);
  return prefixes.flatMap((prefix) =>
    repeated.flatMap((text) =>
      [...new Set(suffixes)].slice(0, 2).map((suffix) => ({ prefix, repeated: text, suffix })),
    ),
  );
}
