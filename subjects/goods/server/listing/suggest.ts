import { GoodsStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { suggest } from '#subjects/goods/contract/goods.ts';
import { defaultGoodsType } from '#contract/rules/catalogue.ts';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { isGoodsCode } from '../../rules/goods-code.ts';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Context } from '#server/context.ts';
import { type Catalogue, catalogue, type Game, gameMatch, showsGame } from '#subjects/games/server/service.ts';
import { pageUrlOf } from './cards.ts';
import type { VisibleGames } from './list.ts';
import { gameTerms } from '../correct/names.ts';
import { normalised, pinyinOf } from '../search/tokenize.ts';

type Suggestion = HandlerResult<typeof suggest>['list'][number];

const MAX_GAMES = 4;
const MAX_TERMS = 8;
/** Limit per game while no game is chosen. */
const MAX_TERMS_PER_GAME = 3;

interface Term {
  text: string;
  /** Lower case, full pinyin, first letters. */
  forms: readonly string[];
  game: Game;
}

/** The search terms of the most recently used catalogue. */
const lastTerms = cacheKind('goods.terms', (): { of?: Catalogue; terms: readonly Term[] } => ({ terms: [] }));

/** The terms of all games: the options that cards show (heroes, skins, ranks), and the areas. */
function termsOf(ctx: Context, all: Catalogue): readonly Term[] {
  const cached = cacheOf(ctx, lastTerms);
  if (cached.of === all) return cached.terms;
  cached.of = all;
  cached.terms = all
    .list()
    .flatMap((game) =>
      gameTerms(game).map((text): Term => ({ text, forms: [normalised(text), ...pinyinOf(text)], game })),
    );
  return cached.terms;
}

/** 3 for the whole term, 2 for a prefix, 1 for another part, 0 for no match; letters inside a pinyin do not match. */
function rankOf(term: Term, typed: string): number {
  if (term.forms.includes(typed)) return 3;
  if (term.forms.some((f) => f.startsWith(typed))) return 2;
  return (term.forms[0] ?? '').includes(typed) ? 1 : 0;
}

/** A filter that passes the first `max` terms of each game. */
function fewPerGame(max: number): (match: { term: Term }) => boolean {
  const counts = new Map<number, number>();
  return ({ term: { game } }) => {
    const count = (counts.get(game.id) ?? 0) + 1;
    counts.set(game.id, count);
    return count <= max;
  };
}

/** URL of the list for a suggestion. */
function listUrl(game: Game, keyWord?: string): string {
  const query = new URLSearchParams({ gt: String(defaultGoodsType(game.id)), gid: String(game.id) });
  if (keyWord !== undefined) query.set('keyWord', keyWord);
  return `/wares?${query.toString()}`;
}

async function loadGoods(ctx: Context, dist: VisibleGames, code: string): Promise<Suggestion[]> {
  if (!isGoodsCode(code)) return [];
  const { rows } = await sql<{ sn: string; title: string; gameId: number; typeId: number }>`
    select sn, title, game_id as "gameId", type_id as "typeId" from goods where sn = ${code.toUpperCase()} and status = ${sql.lit(GoodsStatus.OnSale)}`.execute(
    ctx.db,
  );
  return rows
    .filter((row) => showsGame(dist, row.gameId))
    .map((row) => ({ kind: 'goods', text: `${row.sn} ${visibleTitle(row.title)}`, url: pageUrlOf(row) }));
}

/** Completions of the typed text: the listing with that code, games, and terms; of one game when it is given. */
export async function suggestions(
  ctx: Context,
  dist: VisibleGames,
  request: { keyWord: string; gameId: number | undefined },
): Promise<Suggestion[]> {
  const typed = normalised(request.keyWord).replace(/\s+/g, '');
  if (typed === '') return [];
  const all = await catalogue(ctx);
  const games = request.gameId === undefined ? all.list().filter((g) => showsGame(dist, g.id)) : [];
  const gameMatches = games
    .map((game) => ({ game, rank: gameMatch(game, request.keyWord) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, MAX_GAMES)
    .map(({ game }): Suggestion => ({ kind: 'game', text: game.name, url: listUrl(game) }));
  const termMatches = termsOf(ctx, all)
    .filter((w) => showsGame(dist, w.game.id) && (request.gameId === undefined || w.game.id === request.gameId))
    .map((term) => ({ term, rank: rankOf(term, typed) }))
    .filter(({ rank }) => rank > 0)
    .toSorted((a, b) => b.rank - a.rank || a.term.text.length - b.term.text.length)
    .filter(fewPerGame(request.gameId === undefined ? MAX_TERMS_PER_GAME : MAX_TERMS))
    .slice(0, MAX_TERMS)
    .map(
      ({ term }): Suggestion => ({
        kind: 'word',
        text: request.gameId === undefined ? `${term.game.name} ${term.text}` : term.text,
        url: listUrl(term.game, term.text),
      }),
    );
  return [...(await loadGoods(ctx, dist, request.keyWord.trim())), ...gameMatches, ...termMatches];
}
