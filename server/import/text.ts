import { maskContacts } from '#contract/rules/contacts/contacts.ts';

/** Maximum length of title and description in the publishing form (subjects/goods/contract/goods.ts). */
export const MAX_TITLE = 120;
export const MAX_DESCRIPTION = 2000;

const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u200b-\u200f\u2028-\u202e\u2060\ufeff]/g;
/** Elements whose content is not text. */
const SCRIPTS = /<(script|style|iframe|object)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi;
const TAGS = /<\/?[a-z!][^<>]*>/gi;
const ENTITIES: Readonly<Record<string, string>> = {
  '&nbsp;': ' ',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
};

/** A cleaned text and the changes, described for the seller. */
export interface Cleaned {
  text: string;
  /** Each '去掉网页代码', '删去含联系方式的句子' …; empty if no relevant change was made. */
  changes: string[];
}

/** Removes HTML: scripts with their content, tags, and entities. Runs twice, for tags made of entities. */
function withoutHtml(text: string): string {
  let out = text;
  for (let round = 0; round < 2; round++) {
    out = out.replace(SCRIPTS, '').replace(TAGS, '');
    out = out.replace(/&(?:nbsp|lt|gt|quot|amp);/gi, (e) => ENTITIES[e.toLowerCase()] ?? e);
  }
  return out;
}

/** How far a truncation moves back to the end of a word. */
const BACK = 24;

/** Truncates a text to `max` characters, at the end of a nearby word, never within a character. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max);
  const wellFormed = head.isWellFormed() ? head : head.slice(0, -1);
  if (/^[\s，,、。；;|！!]/.test(text.slice(wellFormed.length))) return wellFormed;
  const tail = /[\s，,、。；;|！!][^\s，,、。；;|！!]*$/.exec(wellFormed.slice(-BACK));
  return tail === null ? wellFormed : wellFormed.slice(0, wellFormed.length - tail[0].length);
}

/** Number of a title's characters that are searched for repetitions. */
const MAX_SCANNED = 2000;

/** Fewer characters are not a repetition. */
const MIN_REPEATED = 4;

/** Whether any `MIN_REPEATED` characters occur again later; a quick check, since most titles have no repetition. */
function mayRepeat(line: string): boolean {
  for (let at = 0; at + 2 * MIN_REPEATED <= line.length; at++)
    if (line.includes(line.slice(at, at + MIN_REPEATED), at + MIN_REPEATED)) return true;
  return false;
}

/** Removes immediate repetitions: sellers repeat a title to rank higher in search. */
function withoutRepetition(line: string): string {
  const scanned = line.slice(0, MAX_SCANNED);
  if (!mayRepeat(scanned)) return line;
  return scanned.replace(/(\S.{3,118}?)(?:[\s，,、|]*\1)+/gu, '$1') + line.slice(MAX_SCANNED);
}

/**
 * A seller's text in publishable form: no HTML, no control characters, no sentence with contact details, at most `max` characters
 * (domain.md 5).
 */
export function cleanText(raw: string, opts: { max: number; lines: boolean }): Cleaned {
  const changes: string[] = [];
  const plain = raw.normalize('NFC').toWellFormed().replace(/\r\n?/g, '\n');
  const noHtml = withoutHtml(plain);
  if (noHtml !== plain) changes.push('去掉网页代码');
  const spaced = opts.lines ? noHtml.replace(/[ \t]+/g, ' ').replace(/\n{3,}/g, '\n\n') : noHtml.replace(/\s+/g, ' ');
  const visible = spaced.replace(CONTROLS, '').trim();
  const { text, masked } = maskContacts(visible);
  if (masked) changes.push('删去含联系方式的句子');
  const deduplicated = opts.lines ? text : withoutRepetition(text);
  if (deduplicated !== text) changes.push('去掉重复内容');
  const short = cut(deduplicated, opts.max).trim();
  if (short.length < deduplicated.length) changes.push(`截到 ${opts.max} 个字`);
  return { text: short, changes };
}

/** Text that is its own NFKC form: printable ASCII and common Chinese characters, which most cells and names consist of. */
const IN_PLAIN_FORM = /^[\x20-\x7e\u4e00-\u9fff]*$/;

/** Normalizes a cell for comparison: full-width characters made plain, trimmed, lower case. */
export const normalizeCell = (cell: string): string =>
  (IN_PLAIN_FORM.test(cell) ? cell : cell.normalize('NFKC')).trim().toLowerCase();
