import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { eventCaseInfo, eventCaseList, getNews, newsInfo } from '#subjects/content/contract/content.ts';
import type { getDistGamedsAdverList } from '#subjects/content/contract/adverts.ts';
import type { getLeagueMatchList } from '#subjects/content/contract/leagues.ts';
import { agreementOfArticle } from '../rules/public-texts.ts';
import type { Call } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { decodeCursor, decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { imageUrl } from '#subjects/media/server/service.ts';
import { legalInForce } from './legal.ts';
import * as q from './queries.ts';
import { matchStatusNames } from '../rules/league.ts';
import { blocksForWire, caseKindNames, categoryNames } from './rules.ts';

export { siteFor, siteName, sitesOf } from './sites.ts';

export { type RuleDraft } from './legal.ts';

const PAGE_SIZE = 20;
const COUNTED = 1000;
const RELATED = 5;
const ADVERTS = 50;
const THUMB_WIDTH = 320;
const LOGO_WIDTH = 160;

const picture = (key: string | null, width?: number): string | null => (key === null ? null : imageUrl(key, width));
const counted = (n: number) => ({ total: Math.min(n, COUNTED), totalCapped: n > COUNTED });

interface PageInput {
  pages?: number | undefined;
  pageSize?: number | undefined;
  cursor?: string | undefined;
}

/** The rows of a page and the cursor of the next one; a list queries one row more than it shows. */
function pageOf<R>(input: PageInput, cursorOf: (row: R) => (string | number)[]) {
  const size = input.pageSize ?? PAGE_SIZE;
  return {
    limit: size + 1,
    offset: input.cursor ? 0 : ((input.pages ?? 1) - 1) * size,
    cut(rows: readonly R[]): { rows: R[]; next: string | null } {
      const list = rows.slice(0, size);
      const last = list.at(-1);
      return { rows: list, next: rows.length > size && last !== undefined ? encodeCursor(cursorOf(last)) : null };
    },
  };
}

const newsItem = (n: q.NewsRow) => ({
  id: n.id,
  code: n.code,
  category: n.category,
  categoryName: categoryNames[n.category],
  gameId: n.gameId,
  title: n.title,
  summary: n.summary,
  cover: picture(n.coverKey, THUMB_WIDTH),
  pinned: n.pinned,
  views: n.views,
  publishTime: n.publishedAt,
});

function decodeNewsCursor(cursor: string | undefined): [pinned: number, time: number, id: number] | undefined {
  const values = decodeCursor(cursor, 3);
  if (!values) return undefined;
  if (!values.every((v) => Number.isSafeInteger(v)))
    throw new AppError('BAD_INPUT', { text: '翻页位置已失效，请返回第一页' });
  return values as [number, number, number];
}

/** News and articles of a site, pinned ones first, with the number in each category. */
export async function listNews(
  { ctx, dist }: Call,
  input: Parsed<typeof getNews>,
): Promise<HandlerResult<typeof getNews>> {
  const filter = { distId: dist.id, category: input.category, gameId: input.gameId, keyWord: input.keyWord };
  const page = pageOf<q.NewsRow>(input, (n) => [n.pinned ? 1 : 0, n.publishedAt.getTime(), n.id]);
  const [found, counts] = await Promise.all([
    q.newsPage(ctx.db, filter, { after: decodeNewsCursor(input.cursor), limit: page.limit, offset: page.offset }),
    q.newsCounts(ctx.db, filter),
  ]);
  const { rows, next } = page.cut(found);
  const all = Object.values(counts).reduce((a, b) => a + b, 0);
  const n = input.category === undefined ? all : (counts[input.category] ?? 0);
  return { list: rows.map(newsItem), counts, ...counted(n), next };
}

/** One article with its neighbours. Throws NOT_FOUND for one that is not published on this site. */
export async function readNews(
  { ctx, dist }: Call,
  by: { id: number } | { code: string },
): Promise<HandlerResult<typeof newsInfo>> {
  const news = await q.findNews(ctx.db, dist.id, by);
  if (!news) throw errorOf('NOT_FOUND', 'news');
  const [previous, following] = await Promise.all([
    q.neighbour(ctx.db, dist.id, news, 'previous'),
    q.neighbour(ctx.db, dist.id, news, 'following'),
  ]);
  // An article that is an agreement shows the version in force, to which users agree.
  const agreement = agreementOfArticle(news.code);
  const legal = agreement && (await legalInForce(ctx.db, agreement));
  return {
    ...newsItem(news),
    ...(legal && { title: legal.title }),
    blocks: blocksForWire(legal?.blocks ?? news.blocks, imageUrl),
    previous,
    following,
    updateTime: legal?.from ?? news.updatedAt,
    legal: legal && agreement ? { code: agreement, version: legal.version, fromTime: legal.from } : null,
  };
}

const caseItem = (c: q.CaseRow) => ({
  caseId: c.id,
  code: c.code,
  kind: c.kind,
  kindName: caseKindNames[c.kind],
  gameId: c.gameId,
  gameName: c.gameName,
  title: c.title,
  summary: c.summary,
  amount: c.amountFen,
  result: c.result,
  cover: picture(c.coverKey, THUMB_WIDTH),
  happenedDay: c.happenedDay,
  views: c.views,
  publishTime: c.publishedAt,
});

/** Cases, newest first. */
export async function listCases(
  { ctx, dist }: Call,
  input: Parsed<typeof eventCaseList>,
): Promise<HandlerResult<typeof eventCaseList>> {
  const page = pageOf<q.CaseRow>(input, (c) => [c.publishedAt.getTime(), c.id]);
  const filter = { distId: dist.id, kind: input.kind, gameId: input.gameId };
  const found = await q.casePage(ctx.db, filter, {
    after: decodeKeyAndId(input.cursor),
    limit: page.limit,
    offset: page.offset,
  });
  const { rows, next } = page.cut(found.rows);
  return { list: rows.map(caseItem), ...counted(found.total), next };
}

/** One case with others like it. Throws NOT_FOUND. */
export async function readCase({ ctx, dist }: Call, caseId: number): Promise<HandlerResult<typeof eventCaseInfo>> {
  const found = await q.findCase(ctx.db, dist.id, caseId, RELATED);
  if (!found) throw errorOf('NOT_FOUND', 'case');
  return {
    ...caseItem(found.item),
    blocks: blocksForWire(found.item.blocks, imageUrl),
    related: found.related.map(caseItem),
  };
}

/** Matches of a day, or from today on, of the games that the site offers. */
export async function listMatches(
  { ctx, dist }: Call,
  input: Parsed<typeof getLeagueMatchList>,
): Promise<HandlerResult<typeof getLeagueMatchList>> {
  if (input.day !== undefined && Number.isNaN(Date.parse(`${input.day}T00:00:00Z`)))
    throw new AppError('BAD_INPUT', { text: '日期格式不正确' });
  const filter = { distId: dist.id, games: dist.games, gameId: input.gameId, leagueId: input.leagueId, day: input.day };
  const page = pageOf<q.MatchRow>(input, (m) => [m.startTime.getTime(), m.id]);
  const [found, overview] = await Promise.all([
    q.matchPage(ctx.db, filter, { after: decodeKeyAndId(input.cursor), limit: page.limit, offset: page.offset }),
    q.matchOverview(ctx.db, filter),
  ]);
  const { rows, next } = page.cut(found.rows);
  const list = rows.map((m) => ({
    id: m.id,
    leagueId: m.leagueId,
    leagueName: m.leagueName,
    stage: m.stage,
    gameId: m.gameId,
    gameName: m.gameName,
    startTime: m.startTime,
    bestOf: m.bestOf,
    status: m.status,
    statusName: matchStatusNames[m.status],
    home: { name: m.homeName, shortName: m.homeShort, logo: picture(m.homeLogo, LOGO_WIDTH), score: m.homeScore },
    away: { name: m.awayName, shortName: m.awayShort, logo: picture(m.awayLogo, LOGO_WIDTH), score: m.awayScore },
    watchUrl: m.watchUrl,
  }));
  const leagues = overview.leagues.map(({ logoKey, ...league }) => ({ ...league, logo: picture(logoKey, LOGO_WIDTH) }));
  return { days: overview.days, leagues, list, ...counted(found.total), next };
}

/** Adverts of a game's pages. */
export async function listAdverts(
  { ctx, dist }: Call,
  input: Parsed<typeof getDistGamedsAdverList>,
): Promise<HandlerResult<typeof getDistGamedsAdverList>> {
  const { gameId, device, position } = input;
  const rows = await q.loadAdverts(ctx.db, { distId: dist.id, gameId, device, position, limit: ADVERTS });
  return { list: rows.map(({ pictureKey, ...rest }) => ({ ...rest, picture: picture(pictureKey) })) };
}

/** Paths of a site's published articles and cases, for the sitemap. */
export async function contentAddresses(db: Trx, distId: number): Promise<{ path: string; day: string }[]> {
  return await q.addresses(db, distId);
}
