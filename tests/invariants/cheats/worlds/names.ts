/** How the name of one account can be written, so that a market that compares texts takes it for another account. */

/**
 * Plain writing comes first. The others name the same account of the game, but for a false name: nobody can tell that one from the name of
 * another account before the log-in is sealed.
 */
export const WRITINGS = [
  'plain',
  'invisible',
  'soft hyphen',
  'mark',
  'wide',
  'case',
  'confusable',
  'separator',
  'trailing dot',
  'mail',
  'server',
  'false name',
] as const;
export type Writing = (typeof WRITINGS)[number];

/** A name that no other account has: every second one is made only of digits, as a QQ number is. */
export const trueName = (worldId: number, n: number): string =>
  n % 2 === 0 ? `${worldId + 10_000}0${n}` : `hero${worldId}x${n}`;

const WIDE = 0xfee0;
const wide = (text: string): string =>
  text.replaceAll(/[!-~]/g, (c) => String.fromCodePoint((c.codePointAt(0) ?? 0) + WIDE));
const inside = (name: string, what: string): string => `${name.slice(0, 3)}${what}${name.slice(3)}`;
const isNumber = (name: string): boolean => /^\d+$/.test(name);

/** Whether a name can be written so: a mail address belongs to digits, upper case and letters that look alike to letters. */
export function canWrite(name: string, writing: Writing): boolean {
  if (writing === 'mail') return isNumber(name);
  return writing === 'case' || writing === 'confusable' ? !isNumber(name) : true;
}

/** The name as it is typed. Another server changes what stands beside the name, not the name. */
export function written(name: string, writing: Writing): string {
  switch (writing) {
    case 'invisible':
      return inside(name, '\u200B');
    case 'soft hyphen':
      return inside(name, '\u00AD');
    case 'mark':
      return inside(name, '\u0301');
    case 'wide':
      return wide(name);
    case 'case':
      return name.toUpperCase();
    case 'confusable':
      return name.replaceAll('e', 'е').replaceAll('o', 'о');
    case 'separator':
      return inside(name, '-');
    case 'trailing dot':
      return `${name}.`;
    case 'mail':
      return `${name}@qq.com`;
    case 'false name':
      return `${name}77`;
    case 'plain':
    case 'server':
      return name;
  }
}

/** How a story names the writing; empty for the plain one. */
export const asWritten = (writing: Writing): string => {
  if (writing === 'server') return ' on another server';
  if (writing === 'false name') return ' under a false name';
  return writing === 'plain' ? '' : ` under its name with another writing ('${writing}')`;
};
