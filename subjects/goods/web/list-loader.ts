import { itemListLd } from '#web/lib/pages/json-ld.ts';
import { type LoaderFunctionArgs, redirect } from 'react-router';
import { boostRoutes } from '#subjects/services/contract/boosting.ts';
import { companionCards } from '#subjects/services/contract/companions.ts';
import { crossList, type Field, gamefilter, gameList } from '#subjects/games/contract/games.ts';
import { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import { getGoodsList, goodsInfo, suggest } from '#subjects/goods/contract/goods.ts';
import { searchHelp } from '#subjects/goods/contract/goods-search.ts';
import { getWantGoodsList } from '#subjects/offers/contract/offers.ts';
import { goodsTypeIds, goodsTypeName, isGoodsType } from '#contract/rules/catalogue.ts';
import { BOOSTING, COMPANION_PLAY, isService } from '#subjects/orders/rules/order-types.ts';
import { isGoodsCode } from '../rules/goods-code.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import { routeText } from '#subjects/services/rules/rank-ladder.ts';
import { countText } from '#web/lib/format/format.ts';
import { type StaleParam, withoutStale } from '#web/lib/lists/stale-params.ts';
import { type LoadContext, market, optional } from '#web/lib/pages/context.ts';
import { pageNumber } from '#web/lib/lists/page-number.ts';
import {
  chosenTags,
  cleared,
  type ListQuery,
  listInput,
  listPath,
  parseList,
  withExistingFields,
} from '#web/lib/lists/list-query.ts';
import type { Named, SearchState } from '#web/lib/lists/search-state.ts';
import type { FilterChoices } from './parts/filters/filter-panel.tsx';
import { NOTHING_WIDER, broaderSearches } from './broader-searches.ts';
import { noResults } from './no-results.ts';

/** Number of games suggested while none is selected. */
const MAX_GAMES = 30;

/** Number of suggested keywords when nothing was found. */
const MAX_NEARBY = 6;

/** A keyword with fewer results may be mistyped. */
const FEW = 3;

/** Maximum number of terms of a keyword that are suggested separately. */
const MAX_TERMS = 3;

/** Number of wants below a game's list. */
const VISIBLE_WANTS = 4;

/** Number of adverts above a game's list. */
const VISIBLE_ADVERTS = 3;

const ACCOUNTS = 1;
const CONSIGNED = 50;

const NO_FIELDS: readonly Field[] = [];

/** The catalogue data of the page: names for the numbers in the URL, and the available choices. */
export async function choicesFor(
  call: LoadContext['call'],
  state: ListQuery,
): Promise<{ choices: FilterChoices; search: SearchState }> {
  const { gid, gt } = state;
  const [games, filter, cross] = await Promise.all([
    call(gameList, {}),
    gid === null ? null : optional(call(gamefilter, { gameId: gid, ...(gt !== null && { goodsTypeId: gt }) })),
    gid === null ? null : optional(call(crossList, { gameId: gid })),
  ]);
  const game = games.list.find(({ id }) => id === gid) ?? null;
  const areas: Named[] = (cross?.list ?? []).map(({ specialId, specialName }) => ({
    id: specialId,
    name: specialName,
  }));
  const area = areas.find(({ id }) => id === state.areaId) ?? null;
  const servers: Named[] = (cross?.list.find(({ specialId }) => specialId === area?.id)?.secondOptions ?? []).map(
    (option) => ({
      id: option.twoSpecialId,
      name: option.twoSpecialName,
    }),
  );
  const types: Named[] = game
    ? Object.entries(game.goodsTypeAndNameMap).map(([id, name]) => ({ id: Number(id), name }))
    : goodsTypeIds.map((id) => ({ id, name: goodsTypeName(id) }));
  const hot = games.list.toSorted((a, b) => b.onSale - a.onSale).slice(0, MAX_GAMES);
  return {
    choices: {
      games: gid === null ? hot.map(({ id, name }) => ({ id, name })) : [],
      // Consigned accounts are in the list of accounts, where 平台交付 filters them.
      types: types.filter(
        ({ id }) => id !== CONSIGNED || gt === CONSIGNED || !types.some((type) => type.id === ACCOUNTS),
      ),
      areas,
      servers,
      fields: filter?.fields ?? NO_FIELDS,
    },
    search: {
      game: game && { id: game.id, name: game.name },
      area,
      server: servers.find(({ id }) => id === state.serverId) ?? null,
      typeId: gt,
      keyWord: state.keyWord,
    },
  };
}

/**
 * Removes conditions that do not exist from the list; an unknown game is removed with its area and server. Returns the
 * names of the removed ones.
 */
function existing(state: ListQuery, search: SearchState): { kept: ListQuery; stale: StaleParam[] } {
  const stale: StaleParam[] = [];
  const kept = { ...state };
  if (state.gt !== null && !isGoodsType(state.gt)) {
    stale.push('gt');
    kept.gt = null;
  }
  if (state.gid !== null && !search.game) {
    stale.push('gid');
    return { kept: { ...kept, gid: null, areaId: null, serverId: null, fields: new Map() }, stale };
  }
  if (state.areaId !== null && !search.area) {
    stale.push('area');
    return { kept: { ...kept, areaId: null, serverId: null }, stale };
  }
  if (state.serverId !== null && !search.server) {
    stale.push('server');
    kept.serverId = null;
  }
  return { kept, stale };
}

/** Suggestions from a keyword's terms: a game's name becomes the game filter, and each of several terms is suggested alone. */
function termSuggestions(bare: ListQuery, games: readonly Named[]): { label: string; to: string }[] {
  const { keyWord, gid } = bare;
  const game = gid === null ? games.find(({ name }) => keyWord.includes(name)) : undefined;
  const rest = game ? keyWord.replace(game.name, '').trim() : keyWord;
  const terms = rest.split(/\s+/).filter(Boolean);
  const within = game ? { ...bare, gid: game.id } : bare;
  const termLabel = (term: string) => (game ? `在${game.name}里搜“${term}”` : `只搜“${term}”`);
  return [
    ...(game || terms.length > 1
      ? terms
          .slice(0, MAX_TERMS)
          .map((term) => ({ label: termLabel(term), to: listPath({ ...within, keyWord: term }) }))
      : []),
    ...(game ? [{ label: `查看${game.name}全部商品`, to: listPath({ ...within, keyWord: '' }) }] : []),
  ];
}

/** Alternatives for a keyword without results: without the type, without the game, or a known keyword. */
async function loadNearby(
  call: LoadContext['call'],
  state: ListQuery,
  games: readonly Named[],
): Promise<{ label: string; to: string }[]> {
  const { keyWord, gid, gt } = state;
  if (keyWord === '') return [];
  const bare = { ...cleared(state), keyWord, sellerId: null };
  const suggestions = await optional(call(suggest, { keyWord }));
  return [
    ...(gt !== null && gid !== null ? [{ label: '搜该游戏的全部类型', to: listPath({ ...bare, gt: null }) }] : []),
    ...(gid !== null ? [{ label: '在全部游戏里搜', to: listPath({ ...bare, gid: null, gt: null }) }] : []),
    ...termSuggestions(bare, games),
    ...(suggestions?.list ?? []).slice(0, MAX_NEARBY).map(({ text, url }) => ({ label: text, to: url })),
  ];
}

interface Nearby {
  /** The caption of the links. */
  hint: string;
  nearby: readonly { label: string; to: string }[];
  /** The most likely meaning. */
  meant?: Meant;
}

/** A keyword or game that was probably meant, with its list. */
interface Meant {
  text: string;
  to: string;
  state: ListQuery;
}

const NOTHING_NEARBY: Nearby = { hint: '', nearby: [] };

/**
 * The probable meanings of a keyword with few results; without any meaning and without results, other ways to search.
 */
async function helpFor(
  call: LoadContext['call'],
  state: ListQuery,
  games: readonly Named[],
  found: number,
): Promise<Nearby> {
  const { keyWord, gid } = state;
  if (keyWord === '' || found >= FEW) return NOTHING_NEARBY;
  const help = await optional(call(searchHelp, { keyWord, ...(gid !== null && { gameId: gid }) }));
  const meant = (help?.list ?? []).map(({ text, url, total, totalCapped }) => ({
    label: `${text}（${countText(total, totalCapped)} 件）`,
    to: url,
  }));
  const [first] = help?.list ?? [];
  if (first) {
    const wanted = parseList(new URL(first.url, 'http://list').searchParams);
    return { hint: '您是不是要找', nearby: meant, meant: { text: first.text, to: first.url, state: wanted } };
  }
  return found > 0 ? NOTHING_NEARBY : { hint: '换个方式找', nearby: await loadNearby(call, state, games) };
}

/** Number of results shown for a corrected keyword. */
const CORRECTED = 10;

/**
 * For a keyword without results, the results of its probable meaning, unless the visitor wants the keyword as typed.
 */
async function loadCorrected(call: LoadContext['call'], query: URLSearchParams, meant: Meant | undefined) {
  if (!meant || query.get('typed') === '1') return null;
  const { choices, search } = await choicesFor(call, meant.state);
  const state = withExistingFields(meant.state, choices.fields);
  if (existing(state, search).stale.length > 0) return null;
  const page = await optional(call(getGoodsList, { ...listInput(state, choices.fields, null), pageSize: CORRECTED }));
  if (!page || page.list.length === 0) return null;
  const typed = new URLSearchParams(query);
  typed.set('typed', '1');
  return {
    text: meant.text,
    to: meant.to,
    goods: page.list,
    total: countText(page.total, page.totalCapped ?? false),
    typedTo: `/wares?${typed}`,
  };
}

/** A listing with that code redirects to its page; any other keyword is searched for. */
async function pageOfCode(call: LoadContext['call'], keyWord: string): Promise<string | null> {
  const goodsSn = typedKeyword(keyWord);
  if (!isGoodsCode(goodsSn)) return null;
  const goods = await optional(call(goodsInfo, { goodsSn }));
  return goods?.pageUrl ?? null;
}

/** The distributor's adverts of a game, for this kind of screen. Optional: null on failure. */
async function loadAdverts({ call, device }: LoadContext, { gid }: ListQuery) {
  if (gid === null) return [];
  const input = { gameId: gid, device: device === 'phone' ? 1 : 0, position: 'game_top' };
  return (await optional(call(getDistGamedsAdverList, input)))?.list.slice(0, VISIBLE_ADVERTS) ?? [];
}

/** Additional data for the rows of companions. Optional: empty on failure. */
async function loadCompanions(call: LoadContext['call'], state: ListQuery, goods: readonly { goodsSn: string }[]) {
  if (state.gt !== COMPANION_PLAY || state.view === 'cards' || goods.length === 0) return [];
  const goodsSns = JSON.stringify(goods.map(({ goodsSn }) => goodsSn));
  return (await optional(call(companionCards, { goodsSns })))?.list ?? [];
}

/**
 * The boosting ranks of a game, and the packages between the selected ranks; null when the game has no ranks. Optional.
 */
async function loadRoutes(call: LoadContext['call'], { gt, gid, rankFrom, rankTo }: ListQuery) {
  if (gt !== BOOSTING || gid === null) return null;
  const isChosen = rankFrom !== null && rankTo !== null;
  const routes = await optional(call(boostRoutes, { gameId: gid, ...(isChosen && { from: rankFrom, to: rankTo }) }));
  return routes && routes.ranks.length > 0 ? routes : null;
}

/** Wants of the selected game and type; nobody publishes one for a service. Optional: null on failure. */
async function loadWants(call: LoadContext['call'], { gid, gt }: ListQuery) {
  if (gid === null || gt === null || isService(gt)) return null;
  return await optional(call(getWantGoodsList, { gameId: gid, goodsTypeId: gt, pageSize: VISIBLE_WANTS }));
}

/** URL of the want form with the current filters. */
function wantPathOf(state: ListQuery): string {
  const query = new URLSearchParams(
    listPath({ ...state, sort: '', view: 'rows', sellerId: null, min: '' }).split('?')[1],
  );
  query.delete('keyWord');
  query.set('new', '1');
  return `/center/buyBlackList?${query}`;
}

/** The breadcrumbs from the home page to a list. */
function crumbsOf(state: ListQuery, { game, area }: SearchState): { label: string; to?: string }[] {
  const bare = cleared(state);
  return [
    { label: '首页', to: '/' },
    { label: state.gt === null ? '全部类型' : goodsTypeName(state.gt), to: listPath({ ...bare, gid: null }) },
    ...(game ? [{ label: game.name, ...(area && { to: listPath(bare) }) }] : []),
    ...(area ? [{ label: area.name }] : []),
  ];
}

export async function loader(args: LoaderFunctionArgs) {
  const context = market(args);
  const { call } = context;
  const query = args.url.searchParams;
  const input = parseList(query);
  const exact = await pageOfCode(call, input.keyWord);
  if (exact) return redirect(exact);
  const { choices, search } = await choicesFor(call, input);
  const state = withExistingFields(input, choices.fields);
  const { kept, stale } = existing(state, search);
  if (stale.length > 0) return redirect(withoutStale(listPath(kept), stale));
  const cursor = query.get('cursor');
  const page = cursor === null ? pageNumber(query) : 1;
  const [result, wants, adverts, routes] = await Promise.all([
    call(getGoodsList, { ...listInput(state, choices.fields, cursor), ...(page > 1 && { pages: String(page) }) }),
    cursor ? null : loadWants(call, state),
    cursor ? [] : loadAdverts(context, state),
    loadRoutes(call, state),
  ]);
  const tags = chosenTags(state, choices.fields, {
    area: search.area?.name,
    server: search.server?.name,
    seller: result.list[0]?.seller.nickName,
    route: routes ? routeText(routes.ranks, { from: state.rankFrom ?? 0, to: state.rankTo ?? 0 }) : undefined,
  });
  const [clearTo, wantTo] = [listPath(cleared(state)), wantPathOf(state)];
  const found = result.list.length;
  const [help, wider, companions] = await Promise.all([
    cursor ? NOTHING_NEARBY : helpFor(call, state, choices.games, found),
    found > 0 ? NOTHING_WIDER : broaderSearches(call, state, choices.fields, tags),
    loadCompanions(call, state, result.list),
  ]);
  const corrected = found > 0 ? null : await loadCorrected(call, query, help.meant);
  return {
    state,
    choices,
    search,
    hint: help.hint,
    // Results that are already shown need no link.
    nearby: corrected ? help.nearby.slice(1) : help.nearby,
    corrected,
    ...wider,
    tags,
    clearTo,
    crumbs: crumbsOf(state, search),
    empty: noResults({ state, tags, wider: wider.wider, clearTo, wantTo }),
    wantTo,
    goods: result.list,
    companions,
    routes,
    // Search engines must not index a filtered list, a page by cursor (its URL expires with its listings), or an empty
    // later page.
    jsonLd: tags.length === 0 && !cursor ? [itemListLd(args.url.origin, result.list)] : undefined,
    page,
    isPart: cursor !== null || (page > 1 && found === 0),
    total: result.total,
    totalCapped: result.totalCapped ?? false,
    next: result.next,
    adverts,
    wants: wants && { list: wants.list, demand: wants.demand },
  };
}

export type ListData = Exclude<Awaited<ReturnType<typeof loader>>, Response>;
