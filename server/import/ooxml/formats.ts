/** Number formats of workbooks (ECMA-376 18.8.30, 18.8.31), as far as they change a cell's displayed text. */
import type { RawCell } from '../files/raw-table.ts';

/** The effect of a format on a number. */
export type NumberFormat =
  | { kind: 'plain' | 'percent' | 'scientific' }
  | { kind: 'date'; hasDay: boolean; hasTime: boolean; isElapsed: boolean }
  | { kind: 'padded'; pattern: readonly (string | null)[] }
  /** Shows its number as one of this unit. */
  | { kind: 'unit'; unit: string }
  /** Shows its number as an amount of foreign money. */
  | { kind: 'currency'; symbol: string };

const DAY_ONLY = { kind: 'date', hasDay: true, hasTime: false, isElapsed: false } as const;
const DAY_TIME = { kind: 'date', hasDay: true, hasTime: true, isElapsed: false } as const;
const TIME_ONLY = { kind: 'date', hasDay: false, hasTime: true, isElapsed: false } as const;
const ELAPSED = { kind: 'date', hasDay: false, hasTime: true, isElapsed: true } as const;
const PLAIN = { kind: 'plain' } as const;

/** Formats known by number only, including those of Chinese versions. */
function builtIn(id: number): NumberFormat {
  if (id === 9 || id === 10) return { kind: 'percent' };
  if (id === 11 || id === 48) return { kind: 'scientific' };
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || (id >= 50 && id <= 54) || id === 57 || id === 58)
    return DAY_ONLY;
  if ((id >= 18 && id <= 21) || (id >= 32 && id <= 35) || id === 45 || id === 47 || id === 55 || id === 56)
    return TIME_ONLY;
  if (id === 22) return DAY_TIME;
  if (id === 46) return ELAPSED;
  return PLAIN;
}

interface Token {
  kind: 'plain' | 'literal' | 'elapsed';
  text: string;
}

/** The first section of a format, which is for positive numbers: literal texts, and everything else as single characters. */
function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < code.length && code[at] !== ';'; at++) {
    const char = code[at] ?? '';
    if (char === '\\' || char === '!') tokens.push({ kind: 'literal', text: code[(at += 1)] ?? '' });
    // The width of the next character, or the character that fills the cell.
    else if (char === '_' || char === '*') at += 1;
    else if (char === '"' || char === '[') {
      const found = code.indexOf(char === '"' ? '"' : ']', at + 1);
      const end = found < 0 ? code.length : found;
      const text = code.slice(at + 1, end);
      if (char === '"') tokens.push({ kind: 'literal', text });
      else if (/^(?:h+|m+|s+)$/i.test(text)) tokens.push({ kind: 'elapsed', text });
      at = end;
    } else tokens.push({ kind: 'plain', text: char });
  }
  return tokens;
}

/** A pattern that keeps leading zeros or adds letters, as in sellers' codes: '000000', '"A-"000', '000-0000'. */
function paddedPattern(tokens: readonly Token[]): (string | null)[] | undefined {
  const digits = tokens.filter(({ kind, text }) => kind === 'plain' && /[0#?]/.test(text));
  const others = tokens.filter(({ kind, text }) => kind === 'plain' && !/[0#?]/.test(text));
  const hasPrefix = /^(?!rmb|cny|us)[a-z\d]/i.test(tokens[0]?.kind === 'literal' ? tokens[0].text : '');
  const zeros = digits.filter(({ text }) => text === '0').length;
  if (digits.length === 0 || (zeros < 2 && !hasPrefix) || others.some(({ text }) => !/[-() /]/.test(text)))
    return undefined;
  return tokens.flatMap(({ kind, text }) =>
    kind === 'plain' && /[0#?]/.test(text) ? [text === '0' ? null : ''] : [text],
  );
}

/**
 * The unit that a format adds to a number: `0"万"` shows 12 as 12万, which is the intended value. A format that scales the value, by a comma
 * after the digits or a point among them, shows the number itself.
 */
function unitOf(tokens: readonly Token[]): string | undefined {
  const isDigit = ({ kind, text }: Token): boolean => kind === 'plain' && /[0#?]/.test(text);
  const last = tokens.findLastIndex(isDigit);
  const first = tokens.findIndex(isDigit);
  const behind = tokens.slice(last + 1);
  const isDivided =
    behind.some(({ kind, text }) => kind === 'plain' && text === ',') ||
    tokens.slice(Math.max(first, 0), last).some(({ kind }) => kind === 'literal');
  const [, unit] = /^\s*([千k万w亿])(?![a-z])/i.exec(behind.map(({ text }) => text).join('')) ?? [];
  return last < 0 || isDivided ? undefined : unit?.toLowerCase();
}

/** `[$€-407]`, `[$$-409]`, `[$HK$-C04]`: the symbol and the number of its country, in a format's first section. */
const MONEY = /\[\$([^\]\d-]{1,5})(?:-[0-9A-F]*)?\]/i;
const FOREIGN = /us\$|hk\$|nt\$|usd|hkd|jpy|eur|krw|twd|[€£₩₽]|美元|美金|港币|港元|日元|欧元|台币|韩元/i;

/** The foreign money that a format names, as a price's reader knows it; undefined for yuan and where none is named. */
function foreignMoney(code: string, tokens: readonly Token[]): string | undefined {
  const section = code.split(';', 1)[0] ?? '';
  const symbol = MONEY.exec(section)?.[1];
  if (symbol === '$') return 'US$';
  const literals = tokens.filter(({ kind }) => kind === 'literal').map(({ text }) => text);
  const others = tokens.filter(({ kind, text }) => kind === 'plain' && /[$€£₩₽]/.test(text)).map(({ text }) => text);
  const named = [symbol ?? '', literals.join(''), others.join('')].find((text) => FOREIGN.test(text) || text === '$');
  return named?.trim();
}

function custom(code: string): NumberFormat {
  const tokens = tokensOf(code);
  if (tokens.some(({ kind }) => kind === 'elapsed')) return ELAPSED;
  const plain = tokens
    .filter(({ kind }) => kind === 'plain')
    .map(({ text }) => text)
    .join('')
    .toLowerCase();
  if (/^general$/.test(plain)) return PLAIN;
  if (/[yd]|上午|下午|aaa/.test(plain) || /[hms]/.test(plain)) {
    const hasTime = /[hs]/.test(plain);
    return { kind: 'date', hasDay: /[yd]|aaa/.test(plain) || !hasTime, hasTime, isElapsed: false };
  }
  if (plain.includes('%')) return { kind: 'percent' };
  if (/e[+-]/.test(plain)) return { kind: 'scientific' };
  const symbol = foreignMoney(code, tokens);
  if (symbol !== undefined) return { kind: 'currency', symbol };
  const unit = unitOf(tokens);
  if (unit !== undefined) return { kind: 'unit', unit };
  const pattern = paddedPattern(tokens);
  return pattern ? { kind: 'padded', pattern } : PLAIN;
}

/** The format of a number, from the workbook's own definition if it has one. */
export const numberFormat = (id: number, code: string | undefined): NumberFormat =>
  code === undefined ? builtIn(id) : custom(code);

/** Significant digits that a spreadsheet keeps; longer numbers were already changed. */
const EXACT_DIGITS = 15;
const DAY_MS = 86_400_000;
const DAY_ZERO = Date.UTC(1899, 11, 30);
const DAYS_TO_1904 = 1462;
/** The first serial number after 29 February 1900, a day that spreadsheets count although it did not exist. */
const AFTER_FALSE_DAY = 61;

const two = (n: number): string => String(n).padStart(2, '0');

/** A day or time as text: '2026-03-05', '2026-03-05 08:30', '08:30'. */
function dateText(value: number, format: NumberFormat & { kind: 'date' }, is1904: boolean): string {
  if (format.isElapsed) {
    const minutes = Math.round(value * 24 * 60);
    return `${Math.floor(minutes / 60)}:${two(minutes % 60)}`;
  }
  const days = is1904 ? value + DAYS_TO_1904 : value < AFTER_FALSE_DAY ? value + 1 : value;
  const iso = new Date(Math.round((days * DAY_MS) / 1000) * 1000 + DAY_ZERO).toISOString();
  const time = iso.slice(11, 19).replace(/:00$/, '');
  if (!format.hasDay && value < 1) return time;
  return Number.isInteger(value) ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${time}`;
}

/** Writes an integer into a pattern from the right; extra digits come first. */
function paddedText(value: number, pattern: readonly (string | null)[]): string {
  const digits = [...String(Math.round(value))];
  const places = pattern.filter((token) => token === null || token === '').length;
  let surplus = digits.slice(0, Math.max(digits.length - places, 0)).join('');
  const rest = digits.slice(Math.max(digits.length - places, 0));
  let missing = places - rest.length;
  let next = 0;
  return pattern
    .map((token) => {
      if (token !== null && token !== '') return token;
      if (missing > 0) {
        missing -= 1;
        return token === null ? '0' : '';
      }
      const digit = surplus + (rest[next] ?? '');
      surplus = '';
      next += 1;
      return digit;
    })
    .join('');
}

const decimal = (value: number): string => {
  const text = String(Number(value.toPrecision(EXACT_DIGITS)));
  if (!text.includes('e-')) return text;
  let fixed = value.toFixed(12);
  while (fixed.endsWith('0')) fixed = fixed.slice(0, -1);
  return fixed.endsWith('.') ? fixed.slice(0, -1) : fixed;
};

/** A number as its displayed text, except that amounts and general numbers are plain. `raw` is the number in the file. */
export function numberCell(raw: string, format: NumberFormat, is1904: boolean): RawCell {
  const value = Number(raw);
  if (raw.trim() === '' || !Number.isFinite(value)) return { text: raw };
  if (Math.abs(value) >= 10 ** EXACT_DIGITS) return { text: BigInt(Math.trunc(value)).toString(), mark: 'rounded' };
  switch (format.kind) {
    case 'date':
      // 31 December 9999; later dates are displayed as '####'.
      if (value < 0 || value > 2_958_465) return { text: decimal(value), mark: 'date' };
      return { text: dateText(value, format, is1904), mark: 'date' };
    case 'percent':
      return { text: `${decimal(value * 100)}%` };
    case 'scientific':
      return { text: decimal(value), mark: 'scientific' };
    case 'padded':
      return { text: value < 0 || !Number.isInteger(value) ? decimal(value) : paddedText(value, format.pattern) };
    case 'currency':
      return { text: `${format.symbol}${decimal(value)}` };
    case 'unit':
      return { text: `${decimal(value)}${format.unit}` };
    case 'plain':
      return { text: decimal(value) };
  }
}
