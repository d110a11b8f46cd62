import type { AttrValue, FieldPlan } from './attrs.ts';
import { pick, type Random, integer } from './random.ts';
import { type Claim, PREFIXES, PRICE_TERMS, REASONS, STATES, TAILS, TRADES } from './texts.ts';

/** Longest and shortest title, in characters. */
export const TITLE = { min: 20, max: 60 } as const;

/** A phrase with attributes, parsed: text, key, text, key … */
export interface Phrase {
  texts: string[];
  keys: { key: string; inTenThousands: boolean }[];
}

/** Parses a phrase such as '热力值{heat:w}'; `:w` writes ten thousands as 万. */
export function compile(phrase: string): Phrase {
  const parts = phrase.split(/\{([a-z0-9_:]+)\}/);
  return {
    texts: parts.filter((_, i) => i % 2 === 0),
    keys: parts
      .filter((_, i) => i % 2 === 1)
      .map((name) => ({ key: name.replace(':w', ''), inTenThousands: name.endsWith(':w') })),
  };
}

export interface Source {
  attrs: Record<string, AttrValue>;
  phrases: readonly Phrase[];
  extras: readonly string[];
  byKey: ReadonlyMap<string, FieldPlan>;
  region: string;
  flags: number;
}

/** The phrase with the goods' values; empty when a value is missing or not worth mentioning. */
function render(phrase: Phrase, source: Source): string {
  let out = phrase.texts[0] ?? '';
  for (let i = 0; i < phrase.keys.length; i++) {
    const slot = phrase.keys[i];
    const value = slot === undefined ? undefined : source.attrs[slot.key];
    if (slot === undefined || value === undefined) return '';
    const text = source.byKey.get(slot.key)?.render(value, slot.inTenThousands) ?? '';
    if (text === '') return '';
    out += text + (phrase.texts[i + 1] ?? '');
  }
  return out;
}

/** A phrase with true claims only; the empty string after a few failed attempts. */
function trueClaim(next: Random, claims: readonly Claim[], flags: number): string {
  for (let i = 0; i < 6; i++) {
    const [text, needs] = pick(next, claims);
    if ((flags & needs) === needs) return text;
  }
  return '';
}

const SEPARATORS = [' ', ' ', ' ', ' ', '，', ' / ', '｜', '·'];

/** Title of an account as sellers write one: place, what it has, what speaks for it; 20 to 60 characters. */
export function accountTitle(next: Random, source: Source): string {
  const separator = pick(next, SEPARATORS);
  const wanted = integer(next, 26, 54);
  let title = next() < 0.16 ? trueClaim(next, PREFIXES, source.flags) : '';
  if (next() < 0.82) title += source.region;
  const add = (part: string) => {
    if (part === '' || title.includes(part)) return;
    const joint = title === '' || title.endsWith('】') || title.endsWith('！') ? '' : separator;
    if (title.length + joint.length + part.length <= TITLE.max - 3) title += joint + part;
  };
  const { phrases, extras } = source;
  // A walk with a stride prime to the length gives each title its own order without shuffling; what matters most is first in the list.
  let at = Math.floor(next() ** 1.7 * phrases.length);
  const wish = pick(next, [1, 2, 3, 5, 7]);
  const stride = phrases.length % wish === 0 ? 1 : wish;
  const mentioned = new Set<string>();
  for (let i = 0; i < phrases.length && title.length < wanted - 8; i++, at += stride) {
    const phrase = phrases[at % phrases.length];
    if (phrase === undefined || phrase.keys.some((slot) => mentioned.has(slot.key))) continue;
    for (const slot of phrase.keys) mentioned.add(slot.key);
    add(render(phrase, source));
  }
  for (let i = 0; i < 24 && (title.length < wanted || title.length < TITLE.min); i++) {
    add(next() < 0.5 ? pick(next, extras) : trueClaim(next, TAILS, source.flags));
  }
  return next() < 0.06 ? `${title}！！！` : title;
}

/** Attributes as one line, for sellers who list everything. */
function listing(source: Source): string {
  const mentioned = new Set<string>();
  const usedTexts: string[] = [];
  for (const phrase of source.phrases) {
    if (phrase.keys.some((slot) => mentioned.has(slot.key))) continue;
    const text = render(phrase, source);
    if (text === '') continue;
    for (const slot of phrase.keys) mentioned.add(slot.key);
    usedTexts.push(text);
  }
  return usedTexts.length < 3 ? '' : `账号信息：${usedTexts.join('，')}。`;
}

/** Two to six sentences: why, what state, how to trade; nothing that the attributes deny. */
export function accountDescription(next: Random, source: Source): string {
  const { flags } = source;
  const sentences = [trueClaim(next, REASONS, flags)];
  if (next() < 0.3) sentences.push(listing(source));
  const states = integer(next, 1, 2);
  for (let i = 0; i < states; i++) sentences.push(trueClaim(next, STATES, flags));
  sentences.push(trueClaim(next, TRADES, flags));
  if (next() < 0.4) sentences.push(trueClaim(next, PRICE_TERMS, flags));
  const unique = sentences.filter((sentence, i) => sentence !== '' && sentences.indexOf(sentence) === i);
  for (const fallback of ['图片是前两天刚截的，和实际一致。', '有问题可以先问再拍。'])
    if (unique.length < 2) unique.push(fallback);
  return unique.join('');
}

const PADDING = ['信誉商家', '在线秒回', '现货', '长期有货', '放心拍', '到账快', '支持担保交易'];

/**
 * Template with its fields; what a listing does not have leaves no gap. Words that sellers like fill a title up to 20 characters;
 * `separator` of the empty string is for descriptions, which need no filling.
 */
export function fillIn(
  next: Random,
  template: string,
  fields: Readonly<Record<string, string>>,
  separator = ' ',
): string {
  let text = template
    .replace(/\{([a-z0-9_]+)\}/g, (_, key: string) => fields[key] ?? '')
    .replace(/ {2,}/g, ' ')
    .trim();
  if (separator === '') return text.replaceAll('【】', '');
  text = text.replaceAll('【】', '');
  for (let i = 0; i < 20 && text.length < TITLE.min; i++) {
    const filler = pick(next, PADDING);
    if (!text.includes(filler)) text += separator + filler;
  }
  return text.length > TITLE.max ? text.slice(0, TITLE.max).trimEnd() : text;
}
