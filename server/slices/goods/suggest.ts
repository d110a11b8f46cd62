import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { suggest } from '#contract/goods.ts';
import { defaultGoodsType } from '#contract/rules/catalogue.ts';
import { visibleTitle } from '#contract/rules/contacts.ts';
import { isGoodsCode } from '#contract/rules/goods-code.ts';
import type { Context } from '#server/context.ts';
import { type Catalogue, catalogue, type Game, gameMatch, showsGame } from '#server/slices/games/service.ts';
import { pageUrlOf } from './cards.ts';
import type { Shows } from './list.ts';
import { normalised, pinyinOf } from './words.ts';

type Suggestion = HandlerResult<typeof suggest>['list'][number];

const MAX_GAMES = 4;
const MAX_WORDS = 8;
/** No game fills the list alone while none is chosen. */
const MAX_WORDS_PER_GAME = 3;
const MIN_WORD = 2;
const MAX_WORD = 20;

interface Word {
  text: string;
  /** Lower case, whole pinyin, first letters. */
  forms: readonly string[];
  game: Game;
}

const words = new WeakMap<Catalogue, readonly Word[]>();

/** Words that goods of a game are known by: the options that its cards show (heroes, skins, ranks), and its areas. */
function wordsOf(all: Catalogue): readonly Word[] {
  const known = words.get(all);
  if (known) return known;
  const made = all.list().flatMap((game) => {
    const labels = new Set([
      ...game.fields
        .filter((f) => f.inCard || f.kind === 'multi')
        .flatMap((f) => (f.options ?? []).map((o) => o.label)),
      ...game.areas.map((a) => a.name),
    ]);
    return [...labels]
      .filter((label) => label.length >= MIN_WORD && label.length <= MAX_WORD)
      .map((text): Word => ({ text, forms: [normalised(text), ...pinyinOf(text)], game }));
  });
  words.set(all, made);
  return made;
}

/** 3 the whole word, 2 its beginning, 1 a part of it, 0 not at all; a few letters inside a pinyin say nothing. */
function rankOf(word: Word, typed: string): number {
  if (word.forms.includes(typed)) return 3;
  if (word.forms.some((f) => f.startsWith(typed))) return 2;
  return (word.forms[0] ?? '').includes(typed) ? 1 : 0;
}

/** A filter that lets the first `max` words of each game through. */
function fewPerGame(max: number): (found: { word: Word }) => boolean {
  const counts = new Map<number, number>();
  return ({ word: { game } }) => {
    const count = (counts.get(game.id) ?? 0) + 1;
    counts.set(game.id, count);
    return count <= max;
  };
}

/** Address of the list that a suggestion leads to. */
function listUrl(game: Game, keyWord?: string): string {
  const query = new URLSearchParams({ gt: String(defaultGoodsType(game.id)), gid: String(game.id) });
  if (keyWord !== undefined) query.set('keyWord', keyWord);
  return `/wares?${query.toString()}`;
}

async function goodsOf(ctx: Context, dist: Shows, code: string): Promise<Suggestion[]> {
  if (!isGoodsCode(code)) return [];
  const { rows } = await sql<{ sn: string; title: string; gameId: number; typeId: number }>`
    select sn, title, game_id as "gameId", type_id as "typeId" from goods where sn = ${code.toUpperCase()} and status = 2`.execute(
    ctx.db,
  );
  return rows
    .filter((row) => showsGame(dist, row.gameId))
    .map((row) => ({ kind: 'goods', text: `${row.sn} ${visibleTitle(row.title)}`, url: pageUrlOf(row) }));
}

/** What could complete the typed text: goods of that code, games, words of goods; of one game when it is given. */
export async function suggestions(
  ctx: Context,
  dist: Shows,
  asked: { keyWord: string; gameId: number | undefined },
): Promise<Suggestion[]> {
  const typed = normalised(asked.keyWord).replace(/\s+/g, '');
  if (typed === '') return [];
  const all = await catalogue(ctx);
  const games = asked.gameId === undefined ? all.list().filter((g) => showsGame(dist, g.id)) : [];
  const foundGames = games
    .map((game) => ({ game, rank: gameMatch(game, asked.keyWord) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MAX_GAMES)
    .map(({ game }): Suggestion => ({ kind: 'game', text: game.name, url: listUrl(game) }));
  const foundWords = wordsOf(all)
    .filter((w) => showsGame(dist, w.game.id) && (asked.gameId === undefined || w.game.id === asked.gameId))
    .map((word) => ({ word, rank: rankOf(word, typed) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || a.word.text.length - b.word.text.length)
    .filter(fewPerGame(asked.gameId === undefined ? MAX_WORDS_PER_GAME : MAX_WORDS))
    .slice(0, MAX_WORDS)
    .map(
      ({ word }): Suggestion => ({
        kind: 'word',
        text: asked.gameId === undefined ? `${word.game.name} ${word.text}` : word.text,
        url: listUrl(word.game, word.text),
      }),
    );
  return [...(await goodsOf(ctx, dist, asked.keyWord.trim())), ...foundGames, ...foundWords];
}
