import { normalised } from '../search/tokenize.ts';
import { distance, folded, type Sound, soundsOf } from './likeness.ts';

/** A searchable thing with all its names. */
export interface Named {
  /** Its display form. */
  text: string;
  /** Its game; null for a synonym. */
  gameId: number | null;
  gameName: string;
  /** The game itself, and not a term of it. */
  isGame: boolean;
  calls: readonly string[];
}

/** A probable correction of a keyword. */
export interface Correction {
  /** The displayed text. */
  text: string;
  keyWord: string;
  gameId: number | null;
}

interface Call {
  key: string;
  sounds: readonly Sound[];
  of: Named;
}

/** The known names, prepared for comparison. */
export interface Index {
  exact: Map<string, Named[]>;
  /** Names with Han characters, indexed by each of their syllables. */
  bySyllable: Map<string, Call[]>;
  /** Names typed in letters, indexed by the first letter: names, pinyin, initials of syllables. */
  byLetter: Map<string, Call[]>;
  games: Call[];
}

const HAN = /\p{Script=Han}/u;
const LATIN = /^[a-z\d.]+$/;
const MAX_LENGTH = 24;
const MAX_CORRECTIONS = 4;
/** A candidate that costs more than the best one by this is not offered. */
const WORSE = 0.55;

/** Normalises a name or keyword for comparison: NFKC, lower case, only letters, digits and Han characters. */
export const plainOf = (text: string): string => normalised(text).replace(/[^\p{L}\p{N}]+/gu, '');

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const letterOf = (text: string): string => folded(text.slice(0, 1));

/** An index without names. */
export const emptyIndex = (): Index => ({ exact: new Map(), bySyllable: new Map(), byLetter: new Map(), games: [] });

const lettersOf = (text: string): Sound[] => [...text].map((char) => ({ char, syllable: char, folded: char }));

function addCall(index: Index, of: Named, key: string): void {
  const typedAs = (typed: string): void =>
    push(index.byLetter, letterOf(typed), { key: typed, of, sounds: lettersOf(typed) });
  push(index.exact, key, of);
  if (!HAN.test(key)) {
    typedAs(key);
    return;
  }
  const call: Call = { key, of, sounds: soundsOf(key) };
  if (of.isGame) index.games.push(call);
  for (const syllable of new Set(call.sounds.map((s) => s.folded))) push(index.bySyllable, syllable, call);
  const initials = call.sounds.map((s) => s.syllable.slice(0, 1)).join('');
  for (const typed of [call.sounds.map((s) => s.syllable).join(''), ...(of.isGame ? [initials] : [])]) {
    push(index.exact, typed, of);
    typedAs(typed);
  }
}

/** Prepares names for comparison; a hundred take about ten milliseconds. */
export function addNames(index: Index, names: readonly Named[]): void {
  for (const of of names)
    for (const key of new Set(of.calls.map(plainOf)))
      if (key.length >= 2 && key.length <= MAX_LENGTH) addCall(index, of, key);
}

/**
 * Maximum cost of a correction; it is higher for a game than for one of its many terms, and higher for a long name than
 * for a short one.
 */
function limitOf(length: number, isGame: boolean): number {
  if (length < 3) return 0.35;
  if (length === 3) return isGame ? 1 : 0.9;
  if (length < 6) return isGame ? 1.45 : 1.1;
  return isGame ? 2.2 : 1.6;
}

/** The same for names typed in letters: of four letters two may be swapped, of more one may be wrong or missing. */
function letterLimit(length: number): number {
  if (length < 5) return 0.5;
  return length < 9 ? 1 : 2;
}

interface Candidate {
  of: Named;
  cost: number;
}

/** The scope of the correction: the games of the site, and the selected game. */
export interface Scope {
  shows: (gameId: number) => boolean;
  gameId: number | undefined;
}

function isIn({ shows, gameId }: Scope, { gameId: own, isGame }: Named): boolean {
  if (own === null) return true;
  return shows(own) && (isGame || gameId === undefined || own === gameId);
}

function byLetters(index: Index, word: string, scope: Scope, found: Map<Named, number>): void {
  const sounds = lettersOf(word);
  const isMixed = /\d/.test(word) && /[a-z]/.test(word);
  // A digit or letter may be missing at the front of a mixed word, as in K47.
  const lists = isMixed ? [...index.byLetter.values()] : [index.byLetter.get(letterOf(word)) ?? []];
  for (const calls of lists)
    for (const call of calls) {
      if (Math.abs(call.key.length - word.length) > 2 || !isIn(scope, call.of)) continue;
      const limit = isMixed && word.length >= 3 && /\d/.test(call.key) ? 0.9 : letterLimit(word.length);
      const cost = distance(sounds, call.sounds, limit);
      if (cost < (found.get(call.of) ?? Number.POSITIVE_INFINITY)) found.set(call.of, cost);
    }
}

function bySounds(index: Index, word: string, scope: Scope, found: Map<Named, number>): void {
  const sounds = soundsOf(word);
  const shared = new Map<Call, number>();
  for (const syllable of new Set(sounds.map((s) => s.folded)))
    for (const call of index.bySyllable.get(syllable) ?? []) shared.set(call, (shared.get(call) ?? 0) + 1);
  for (const [call, count] of shared) {
    const length = Math.min(sounds.length, call.sounds.length);
    if (count < Math.floor(length / 2) || Math.abs(sounds.length - call.sounds.length) > 1) continue;
    if (!isIn(scope, call.of)) continue;
    const cost = distance(sounds, call.sounds, limitOf(Math.max(sounds.length, call.sounds.length), call.of.isGame));
    if (cost < (found.get(call.of) ?? Number.POSITIVE_INFINITY)) found.set(call.of, cost);
  }
}

/** The game whose names together form the word, for example 王者农药 from 王者 and 农药. */
function ofItsNames(index: Index, word: string, scope: Scope): Named | undefined {
  const parts = Map.groupBy(
    index.games.filter(({ key, of }) => isIn(scope, of) && word.includes(key)),
    ({ of }) => of,
  );
  for (const [game, calls] of parts) {
    const ends = new Set([0]);
    // The loop also visits the end positions that it adds.
    for (const end of ends) for (const { key } of calls) if (word.startsWith(key, end)) ends.add(end + key.length);
    if (ends.has(word.length)) return game;
  }
  return undefined;
}

/** The probable meanings of a word, most likely first; the word itself when it is known. */
function candidates(index: Index, word: string, scope: Scope): Candidate[] {
  if (word.length < 2 || word.length > MAX_LENGTH) return [];
  const known = (index.exact.get(word) ?? []).filter((of) => isIn(scope, of));
  if (known.length > 0) return known.map((of) => ({ of, cost: 0 }));
  const found = new Map<Named, number>();
  if (LATIN.test(word)) byLetters(index, word, scope, found);
  else if (HAN.test(word)) {
    bySounds(index, word, scope, found);
    const game = ofItsNames(index, word, scope);
    if (game) found.set(game, 0.1);
  }
  return [...found]
    .filter(([, cost]) => Number.isFinite(cost))
    .map(([of, cost]) => ({ of, cost: of.isGame ? cost - 0.1 : cost }))
    .toSorted((a, b) => a.cost - b.cost || a.of.text.length - b.of.text.length)
    .filter(({ cost }, _, [best]) => cost <= (best?.cost ?? 0) + WORSE);
}

interface Within extends Candidate {
  before: string;
  after: string;
}

/** A game's name, possibly misspelled, as a part of a longer word. */
function within(index: Index, word: string, scope: Scope): Within | undefined {
  const sounds = soundsOf(word);
  let best: (Within & { length: number }) | undefined;
  for (const { of, sounds: name } of index.games) {
    const { length } = name;
    if (length < 3 || length >= sounds.length || !isIn(scope, of)) continue;
    for (let from = 0; from + length <= sounds.length; from++) {
      const cost = distance(sounds.slice(from, from + length), name, limitOf(length, true) - 0.4);
      if (!Number.isFinite(cost)) continue;
      if (best && cost - length / 4 >= best.cost - best.length / 4) continue;
      const text = (part: readonly Sound[]): string => part.map((s) => s.char).join('');
      best = { of, cost, length, before: text(sounds.slice(0, from)), after: text(sounds.slice(from + length)) };
    }
  }
  return best;
}

/** Splits where Han characters and letters or digits meet. */
const scriptsOf = (word: string): string[] => word.match(/\p{Script=Han}+|[^\p{Script=Han}]+/gu) ?? [];

/** Splits a keyword into its search words and the game that it names. */
interface Rewritten {
  words: string[];
  game: Named | undefined;
  changed: boolean;
}

function rewriteWord(index: Index, word: string, scope: Scope, into: Rewritten): void {
  const [best] = candidates(index, word, scope);
  if (best) {
    if (best.cost !== 0) into.changed = true;
    if (best.of.isGame) into.game ??= best.of;
    else into.words.push(best.cost === 0 ? word : best.of.text);
    return;
  }
  const part = within(index, word, scope);
  if (part) {
    into.changed = true;
    into.game ??= part.of;
    for (const rest of [part.before, part.after]) if (rest !== '') rewriteWord(index, rest, scope, into);
    return;
  }
  const parts = scriptsOf(word);
  if (parts.length < 2) into.words.push(word);
  else {
    into.changed = true;
    for (const one of parts) rewriteWord(index, one, scope, into);
  }
}

/** Corrects a keyword token by token; known tokens stay. */
function correctTokens(index: Index, tokens: readonly string[], scope: Scope): Correction[] {
  const into: Rewritten = { words: [], game: undefined, changed: false };
  for (const token of tokens) rewriteWord(index, token, scope, into);
  const gameId = into.game?.gameId ?? scope.gameId ?? null;
  if (!into.changed && !(into.game && tokens.length > 1)) return [];
  const keyWord = into.words.join(' ');
  return [{ text: [into.game?.text ?? '', keyWord].filter(Boolean).join(' '), keyWord, gameId }];
}

function ofCandidate({ of }: Candidate, scope: Scope): Correction {
  if (of.isGame) return { text: of.text, keyWord: '', gameId: of.gameId };
  const inGame = of.gameId === null || of.gameId === scope.gameId;
  return {
    text: inGame ? of.text : `${of.gameName} ${of.text}`,
    keyWord: of.text,
    gameId: of.gameId ?? scope.gameId ?? null,
  };
}

/** The probable meanings of a keyword, most likely first; never the keyword itself. */
export function corrections(index: Index, keyword: string, scope: Scope): Correction[] {
  const words = normalised(keyword)
    .split(/[^\p{L}\p{N}.]+/u)
    .filter((word) => word !== '')
    .slice(0, 6);
  const whole = words.join('');
  const byScript = words.flatMap(scriptsOf);
  const spaced = byScript.join(' ');
  const all = [
    ...candidates(index, whole, scope)
      .slice(0, MAX_CORRECTIONS)
      .map((one) => ofCandidate(one, scope)),
    ...correctTokens(index, words, scope),
    ...correctTokens(index, byScript, scope),
    { text: spaced, keyWord: spaced, gameId: scope.gameId ?? null },
  ];
  const seen = new Set([`${keyword.trim().toLowerCase()}|${scope.gameId ?? ''}`]);
  return all
    .filter(({ keyWord, gameId }) => {
      const key = `${keyWord.toLowerCase()}|${gameId ?? ''}`;
      if (seen.has(key) || (keyWord === '' && gameId === null)) return false;
      seen.add(key);
      return true;
    })
    .slice(0, MAX_CORRECTIONS);
}
