import { pinyin } from 'pinyin-pro';

const MAX_RUN = 40;
/** Further tokens of a keyword are ignored. */
const MAX_QUERY_TOKENS = 24;
/** Minimum length of a prefix search; a shorter text must be the whole word, because its prefix matches too much of the index. */
const MIN_PREFIX = 3;

/** Normalises text for comparison: NFKC, lower case. */
export function normalised(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

interface Run {
  han: boolean;
  chars: string[];
  text: string;
  /** Directly follows the previous run. */
  joined: boolean;
}

const HAN = /^\p{Script=Han}$/u;
const WORD_CHAR = /^[\p{L}\p{N}]$/u;
const DIGIT = /^\p{N}$/u;

/** Splits text into runs of Han characters and runs of letters and digits; a point between digits belongs to the number. */
function runsOf(text: string): Run[] {
  const chars = [...normalised(text)];
  const runs: Run[] = [];
  let joined = false;
  for (let i = 0; i < chars.length; i++) {
    const char = chars[i] ?? '';
    const han = HAN.test(char);
    const point = char === '.' && DIGIT.test(chars[i - 1] ?? '') && DIGIT.test(chars[i + 1] ?? '');
    if (!han && !point && !WORD_CHAR.test(char)) {
      joined = false;
      continue;
    }
    const last = runs.at(-1);
    if (joined && last && last.han === han) last.chars.push(char);
    else runs.push({ han, chars: [char], text: '', joined });
    joined = true;
  }
  for (const run of runs) run.text = run.chars.slice(0, MAX_RUN).join('');
  return runs;
}

const MIXED = /^(?=.*\p{L})(?=.*\p{N})/u;
/** Maximum parts of one word with a token each: AK and 47 of AK47. */
const MAX_PARTS = 4;

/** The letter and digit parts of a mixed word, without single characters, and the model prefix, such as M4 of M4A1. */
function partsOf(text: string): string[] {
  if (!MIXED.test(text)) return [];
  const model = text.match(/^\p{L}\p{N}+(?=\p{L})/u) ?? [];
  const parts = text.match(/\p{L}+|[\p{N}.]+/gu) ?? [];
  return [...model, ...parts.filter((part) => part.length > 1)].slice(0, MAX_PARTS);
}

const pairs = (chars: readonly string[]): string[] => chars.slice(1).map((char, i) => `${chars[i] ?? ''}${char}`);

/**
 * A token for the boundary of two adjacent runs: the Han character with the whole adjacent word, so that 贵族10 does not
 * match 贵族100.
 */
function joint(left: Run, right: Run): string {
  return left.han ? `${left.chars.at(-1) ?? ''}${right.text}` : `${left.text}${right.chars[0] ?? ''}`;
}

/** All tokens of a text: Han characters and pairs, words of letters and digits with their parts, and the joints between both. */
export function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  const runs = runsOf(text);
  runs.forEach((run, i) => {
    if (run.han) tokens.push(...run.chars, ...pairs(run.chars));
    else tokens.push(run.text, ...partsOf(run.text));
    const before = runs[i - 1];
    if (run.joined && before) tokens.push(joint(before, run));
  });
  return tokens;
}

// oxlint-disable-next-line caches/of-context -- a pure function of its text, and at most MAX_SPELLED
const spelled = new Map<string, string[]>();
const MAX_SPELLED = 20_000;

/** Full pinyin and first letters of the Han characters of a text; empty for fewer than two. */
function spell(text: string): string[] {
  const han = [...text].filter((c) => HAN.test(c)).join('');
  if (han.length < 2) return [];
  const full = pinyin(han, { toneType: 'none', type: 'array', v: true });
  return [full.join(''), full.map((syllable) => syllable[0] ?? '').join('')].map((f) => f.slice(0, MAX_RUN));
}

/**
 * A name as typed without an input method: full pinyin and first letters, of the name and of each of its words, since
 * users often omit the hero of 李白 凤求凰. Empty for a name without Han characters.
 */
export function pinyinOf(name: string): string[] {
  const cached = spelled.get(name);
  if (cached) return cached;
  const text = normalised(name);
  const words = text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const forms = [...new Set([...spell(text), ...(words.length > 1 ? words.flatMap(spell) : [])])];
  if (spelled.size < MAX_SPELLED) spelled.set(name, forms);
  return forms;
}

/** A part of a keyword: a token that a listing must have, or its prefix. */
export interface QueryToken {
  token: string;
  prefix: boolean;
}

/** The tokens that a listing must have to match a keyword. Empty for a keyword without letters, digits or Han characters. */
export function queryTokens(keyword: string): QueryToken[] {
  const runs = runsOf(keyword);
  const tokens = new Map<string, boolean>();
  runs.forEach((run, i) => {
    const before = runs[i - 1];
    const after = runs[i + 1];
    const joinedBefore = run.joined && before !== undefined;
    const joinedAfter = after?.joined === true;
    if (run.han) {
      for (const token of run.chars.length > 1 ? pairs(run.chars) : joinedBefore || joinedAfter ? [] : run.chars)
        tokens.set(token, false);
    } else if (!joinedBefore && !joinedAfter) {
      tokens.set(run.text, run.text.length >= MIN_PREFIX && /^(?=.*[a-z])[a-z\d]+$/.test(run.text));
    }
    if (joinedBefore && before) tokens.set(joint(before, run), false);
  });
  return [...tokens].slice(0, MAX_QUERY_TOKENS).map(([token, prefix]) => ({ token, prefix }));
}

/** Fast path for tokens without quote or backslash: this runs for each word of each listing. */
const quoted = (token: string): string =>
  token.includes("'") || token.includes('\\') ? `'${token.replace(/[\\']/g, '$&$&')}'` : `'${token}'`;

/** One token in the syntax of tsquery. */
export function queryText({ token, prefix }: QueryToken): string {
  return prefix ? `${quoted(token)}:*` : quoted(token);
}

/** Tokens as the text of a tsvector, without duplicates and positions. */
export function vectorText(tokens: readonly string[]): string {
  let text = '';
  for (const token of new Set(tokens)) if (token !== '') text += text === '' ? quoted(token) : ` ${quoted(token)}`;
  return text;
}
