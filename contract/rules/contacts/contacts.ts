import { BAIT, CONTACTS, LINKS, NUMBER, SECRETS, UNIT, WIDE_NUMBER } from './contact-patterns.ts';
import { inDigits, type Reading } from './contact-digits.ts';
import { plainText } from '../texts/plain-text.ts';

/**
 * The one filter for all text that users send or publish: contact details (phone, QQ, WeChat, links, other services),
 * payment data (bank cards), identity numbers and credentials (domain.md 5, docs/decisions/180). Chats mask the match,
 * published texts lose the sentence. Game terms full of numbers ('贵族10 皮肤300', '1300万金币'), listing codes and order
 * numbers are not matched.
 */

export type ContactKind = 'contact' | 'link' | 'card' | 'secret' | 'bait';

export interface Finding {
  kind: ContactKind;
  /** Offsets of the value itself in the text: what a chat masks. */
  from: number;
  to: number;
  /** Offset of the words that introduce the value, for removing the sentence. */
  lead: number;
}

export interface ContactRules {
  /** Links that are allowed, compared as a whole in plain form. None by default. */
  linkAllowed?: ((link: string) => boolean) | undefined;
  /** Whether invitations without a number ('加我微信聊') count. */
  bait?: boolean;
}

const isOrderSn = (digits: string): boolean =>
  /^(2[4-9]|3\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d\d{6}$/.test(digits);

function luhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let d = Number(digits.charAt(digits.length - 1 - i));
    if (i % 2 === 1) d = d * 2 > 9 ? d * 2 - 9 : d * 2;
    sum += d;
  }
  return sum % 10 === 0;
}

function idNumber(digits: string): boolean {
  if (!/^[1-9]\d{5}(?:18|19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{3}[\dx]$/.test(digits)) return false;
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = weights.reduce((total, weight, i) => total + weight * Number(digits.charAt(i)), 0);
  return '10x98765432'.charAt(sum % 11) === digits.charAt(17);
}

/** Adjacent two-digit values may add up to eleven digits, but phone numbers are not written that way. */
function writtenAsPhone(raw: string): boolean {
  const groups = raw.split(/\D/);
  if (groups.every((g) => g.length === 1)) return true;
  return groups.some((g) => g.length >= (raw.includes(' ') && (groups[0]?.length ?? 0) < 3 ? 7 : 3));
}

const PHONE = /^(?:86|086|0086)?1[3-9]\d{9}$/;

/** Phones, bank cards and identity numbers among the text's numbers, with any spacing. */
function longNumbers(text: string, found: Finding[]): void {
  for (const match of text.matchAll(NUMBER)) {
    const raw = match[0];
    const from = match.index;
    let to = from + raw.length;
    let digits = raw.replace(/\D/g, '');
    if (digits.length < 11) continue;
    const rest = text.slice(to, to + 8);
    if (rest.startsWith('x') && digits.length === 17 && idNumber(`${digits}x`)) {
      digits = `${digits}x`;
      to += 1;
    }
    if (isOrderSn(digits)) continue;
    const isCard = digits.length >= 15 && digits.length <= 19 && /^[3-6]/.test(digits) && luhn(digits);
    if (idNumber(digits) || isCard) found.push({ from, to, lead: from, kind: 'card' });
    else if (PHONE.test(digits) && !UNIT.test(rest) && writtenAsPhone(raw))
      found.push({ from, to, lead: from, kind: 'contact' });
  }
}

/** How people group the digits of a phone number: one by one, or in groups of these lengths. */
const PHONE_GROUPS = new Set(['3,4,4', '3,8', '4,4,3', '3,3,5', '3,5,3', '4,3,4', '7,4', '2,3,4,4', '2,11']);

/** Phones whose groups of digits are up to four other characters apart: '(138) 0013 - 8000', one digit a line. */
function spacedPhones(text: string, found: Finding[]): void {
  for (const match of text.matchAll(WIDE_NUMBER)) {
    const groups = [...match[0].matchAll(/\d+/g)];
    for (let first = 0; first < groups.length; first++) {
      let digits = '';
      for (let last = first; last < groups.length && digits.length < 13; last++) {
        digits += groups[last]?.[0] ?? '';
        if (digits.length < 11 || !PHONE.test(digits)) continue;
        const lengths = groups.slice(first, last + 1).map(([group]) => group.length);
        const from = match.index + (groups[first]?.index ?? 0);
        const to = match.index + (groups[last]?.index ?? 0) + (lengths.at(-1) ?? 0);
        const areSingle = lengths.every((length) => length === 1);
        if (UNIT.test(text.slice(to, to + 8)) || !(areSingle || PHONE_GROUPS.has(lengths.join(',')))) continue;
        found.push({ from, to, lead: from, kind: 'contact' });
        first = last;
        break;
      }
    }
  }
}

/** A listing code: Y, a letter, seven digits. */
const CODE = /(?<![a-z0-9])y[a-z]\d{7}(?!\d)/g;

const plainPatterns = new Map([...LINKS, ...CONTACTS, ...SECRETS, ...BAIT].map((p) => [p, new RegExp(p.source)]));

const isIn = (pattern: RegExp, source: string): boolean => plainPatterns.get(pattern)?.test(source) ?? true;

function collect(
  source: string,
  patterns: readonly RegExp[],
  kind: ContactKind,
  found: Finding[],
  isContact: (value: string, after: string) => boolean,
): void {
  for (const pattern of patterns) {
    // Matching with group positions is expensive, and most texts contain no match.
    if (!isIn(pattern, source)) continue;
    for (const match of source.matchAll(pattern)) {
      const at = match.indices?.[1];
      if (at && isContact(source.slice(at[0], at[1]), source.slice(at[1], at[1] + 8)))
        found.push({ from: at[0], to: at[1], lead: match.index, kind });
    }
  }
}

const isNumberToCall = (value: string, after: string): boolean =>
  !(/^[\d\s._-]+$/.test(value) && (UNIT.test(after) || isOrderSn(value.replace(/\D/g, ''))));

/** A text without any of these cannot contain a match. */
const SUSPICIOUS =
  /[\d@.]|\/\/|(?:[零一二三四五六七八九〇幺壹贰貳叁叄肆伍陆陸柒捌玖洞拐勾两].?){5}|[洞灵凌铃玲林龄腰要依医衣伊邀两尔迩耳俩仨散伞山删似丝司思斯舞吴午武吾溜流刘柳拐起气妻期棋奇齐漆吧巴爸霸扒叭勾酒久就舅]{7}|[a-z]{3}|[vwq]|[微薇威徽维葳溦唯嶶喂扣叩抠球蔻秋丘企腾疼藤绿点]/;

/** Collects the findings in one reading of the text; offsets refer to the reading. */
function findIn({ text, isGuess }: Omit<Reading, 'at'>, rules: ContactRules, found: Finding[]): void {
  longNumbers(text, found);
  spacedPhones(text, found);
  if (!isGuess) collect(text, CONTACTS, 'contact', found, isNumberToCall);
  if (rules.bait === true && !isGuess) collect(text, BAIT, 'bait', found, () => true);
}

/** All forbidden parts of a text, in text order; offsets refer to the original. */
export function findContacts(text: string, rules: ContactRules = {}): Finding[] {
  const plain = plainText(text);
  const source = plain.text;
  if (!SUSPICIOUS.test(source)) return [];
  const found: Finding[] = [];
  findIn({ text: source, isGuess: false }, rules, found);
  collect(source, LINKS, 'link', found, (link) => !(rules.linkAllowed?.(link) ?? false));
  collect(source, SECRETS, 'secret', found, (value) => rules.bait !== true || /\d/.test(value));
  for (const reading of inDigits(source)) {
    const more: Finding[] = [];
    findIn(reading, { ...rules, bait: false }, more);
    const at = reading.at;
    found.push(
      ...more.map(({ kind, from, to, lead }) => ({
        kind,
        from: at?.[from] ?? from,
        to: at?.[to] ?? to,
        lead: at?.[lead] ?? lead,
      })),
    );
  }
  const codes = [...source.matchAll(CODE)].map((m) => ({ from: m.index, to: m.index + m[0].length }));
  return found
    .filter((f) => f.kind === 'secret' || !codes.some((c) => c.from <= f.from && f.to <= c.to))
    .map(({ kind, from, to, lead }) => ({
      kind,
      from: plain.from[from] ?? 0,
      to: plain.to[to - 1] ?? text.length,
      lead: plain.from[lead] ?? 0,
    }))
    .sort((a, b) => a.from - b.from || b.to - a.to);
}

/**
 * Where a contact that was begun in earlier messages of the same sender ends in the next one ('138', '0013', '8000'; 'QQ', '12345678'):
 * the range of `text` to mask, or undefined. `earlier` has the unmasked messages, oldest first.
 */
export function continuedContact(earlier: readonly string[], text: string): { from: number; to: number } | undefined {
  for (const separator of ['', '\n']) {
    for (let first = earlier.length - 1; first >= 0; first--) {
      const before = earlier.slice(first).join(separator) + separator;
      const found = findContacts(before + text).find(({ lead, to }) => lead < before.length && to > before.length);
      if (found) return { from: Math.max(0, found.from - before.length), to: found.to - before.length };
    }
  }
  return continuedNumber(earlier, text);
}

/** Texts that may complete a contact: short ones with a digit, a numeral or letters. */
const MAX_CONTINUED_LENGTH = 60;
const CONTINUES = /[\d@零一二三四五六七八九〇幺壹贰叁肆伍陆柒捌玖]|[a-z]{2}/;

/** Whether earlier messages matter for a message: few ordinary messages contain a digit or letters. */
export const mayContinueContact = (text: string): boolean =>
  text.length <= MAX_CONTINUED_LENGTH && CONTINUES.test(plainText(text).text);

/** A phone number split over messages, each with some digits among a few words: '我的是138', '然后0013', '最后8000'. */
function continuedNumber(earlier: readonly string[], text: string): { from: number; to: number } | undefined {
  const digitsOf = (message: string): string | undefined => {
    const [digits, ...others] = plainText(message).text.match(/\d+/g) ?? [];
    return others.length > 0 || message.length - (digits?.length ?? 0) > 6 ? undefined : digits;
  };
  let digits = digitsOf(text);
  if (digits === undefined || digits.length > 8) return undefined;
  for (const message of earlier.toReversed()) {
    const before = digitsOf(message);
    if (before === undefined) return undefined;
    digits = before + digits;
    if (PHONE.test(digits)) return { from: 0, to: text.length };
  }
  return undefined;
}

/** A text for publication without its contact details. */
export interface Cut {
  text: string;
  /** Whether anything was removed. */
  masked: boolean;
  /** The removed sentences, as typed. */
  sentences: string[];
}

const BREAKS = /[。！？!?；;\n，,|｜]+|$/g;
const ENDS = /[。！？!?；;\n]/;
/** Clauses next to a contact that make no sense without it. */
const INVITATION = /加我|加下|联系|私聊|私我|详聊|便宜|优惠|更低|同号/;

interface Segment {
  from: number;
  to: number;
  /** Offset after the break that ends it. */
  next: number;
}

function segmentsOf(text: string, at: RegExp): Segment[] {
  const out: Segment[] = [];
  let from = 0;
  for (const m of text.matchAll(at)) {
    const next = m.index + m[0].length;
    if (next > from) out.push({ from, to: m.index, next });
    from = next;
  }
  return out;
}

function cutSegments(text: string, findings: readonly Finding[], at: RegExp): { text: string; sentences: string[] } {
  const all = segmentsOf(text, at);
  const cut = all.map((p) => findings.some((f) => f.lead < p.next && f.to > p.from));
  const hit = [...cut];
  for (const [i, p] of all.entries()) {
    const sentence = text.slice(p.from, p.to);
    if (hit[i] || !INVITATION.test(sentence)) continue;
    const before = all[i - 1];
    const sameAsBefore = hit[i - 1] === true && before !== undefined && !ENDS.test(text.slice(before.to, before.next));
    if (sameAsBefore || (hit[i + 1] === true && !ENDS.test(text.slice(p.to, p.next)))) cut[i] = true;
  }
  return {
    text: all
      .map((p, i) => (cut[i] ? '' : text.slice(p.from, p.next)))
      .join('')
      .replace(/(?<![，,|｜；;\s])[，,|｜；;\s]+$/u, '')
      .trim(),
    sentences: all.filter((_, i) => cut[i]).map((p) => text.slice(p.from, p.to).trim()),
  };
}

/**
 * Returns a text for publication without the sentences that contain a contact, a link, a credential or an invitation to
 * leave the site. When a line is one sentence (a title) only the matching words are cut. The result may be empty.
 */
export function maskContacts(text: string): Cut {
  const findings = findContacts(text, { bait: true });
  if (findings.length === 0) return { text, masked: false, sentences: [] };
  const bySentence = cutSegments(text, findings, BREAKS);
  const result =
    bySentence.text === '' && text.trim().includes(' ') ? cutSegments(text, findings, /\s+|$/g) : bySentence;
  return { ...result, masked: true };
}

/** Shown in place of a title that is completely removed. */
export const HIDDEN_TITLE = '（标题含联系方式，已隐藏）';

/** A stored title for display; a fixed text if nothing of it may be shown. */
export const visibleTitle = (title: string): string => maskContacts(title).text || HIDDEN_TITLE;
