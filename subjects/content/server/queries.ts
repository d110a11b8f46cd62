import { PublicationStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { StoredBlock } from '../rules/article.ts';
import type { Trx } from '#server/db/client.ts';
import type { caseKindNames, categoryNames } from './rules.ts';

export interface NewsRow {
  id: number;
  code: string;
  category: keyof typeof categoryNames;
  gameId: number | null;
  title: string;
  summary: string;
  coverKey: string | null;
  pinned: boolean;
  views: number;
  publishedAt: Date;
}

/** Condition: a published article whose time it is, and for every site or for this one. */
const newsVisible = (distId: number): RawBuilder<unknown> =>
  sql`${visible('n', distId)} and (n.published_until is null or n.published_until > now())`;

/** Condition: published, and for every site or for this one. */
const visible = (table: string, distId: number): RawBuilder<unknown> =>
  sql`${sql.ref(table)}.status = ${sql.lit(PublicationStatus.Published)} and ${sql.ref(table)}.published_at <= now() and (${sql.ref(table)}.dist_id is null or ${sql.ref(table)}.dist_id = ${distId})`;
const NEWS = sql`n.id, n.code, n.category, n.game_id as "gameId", n.title, n.summary, n.cover_key as "coverKey", n.pinned, n.views, n.published_at as "publishedAt"`;

export interface NewsFilter {
  distId: number;
  category: string | undefined;
  gameId: number | undefined;
  keyWord: string | undefined;
}

const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

function newsWhere(f: NewsFilter, withCategory = true): RawBuilder<unknown> {
  return sql`${newsVisible(f.distId)} ${f.gameId === undefined ? sql`` : sql`and n.game_id = ${f.gameId}`}
    ${withCategory && f.category !== undefined ? sql`and n.category = ${f.category}` : sql``}
    ${f.keyWord === undefined ? sql`` : sql`and (n.title like ${likePattern(f.keyWord)} or n.summary like ${likePattern(f.keyWord)})`}`;
}

/** News after a cursor, pinned first, then newest first. */
export async function newsPage(
  db: Trx,
  f: NewsFilter,
  page: { after: [pinned: number, time: number, id: number] | undefined; offset: number; limit: number },
): Promise<NewsRow[]> {
  const { after } = page;
  const behind = after
    ? sql`and (n.pinned, n.published_at, n.id) < (${after[0] === 1}, ${new Date(after[1])}::timestamptz, ${after[2]})`
    : sql``;
  const { rows } = await sql<NewsRow>`
    select ${NEWS} from news n where ${newsWhere(f)} ${behind}
    order by n.pinned desc, n.published_at desc, n.id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

/** The number of news in each category. */
export async function newsCounts(db: Trx, f: NewsFilter): Promise<Record<string, number>> {
  const { rows } = await sql<{ category: string; n: number }>`
    select n.category, count(*)::int as n from news n where ${newsWhere(f, false)} group by n.category`.execute(db);
  return Object.fromEntries(rows.map((r) => [r.category, r.n]));
}

export interface NewsBody extends NewsRow {
  blocks: StoredBlock[];
  updatedAt: Date;
}

/** One published article, by id or by code. */
export async function findNews(
  db: Trx,
  distId: number,
  by: { id: number } | { code: string },
): Promise<NewsBody | undefined> {
  const { rows } = await sql<NewsBody>`
    select ${NEWS}, n.blocks, n.updated_at as "updatedAt" from news n
    where ${newsVisible(distId)} and ${'id' in by ? sql`n.id = ${by.id}` : sql`n.code = ${by.code}`}`.execute(db);
  return rows[0];
}

/** The article before or after another one of its category, by time. */
export async function neighbour(
  db: Trx,
  distId: number,
  of: NewsRow,
  direction: 'previous' | 'following',
): Promise<{ code: string; title: string } | null> {
  const isBefore = direction === 'previous';
  const { rows } = await sql<{ code: string; title: string }>`
    select n.code, n.title from news n where ${newsVisible(distId)} and n.category = ${of.category}
      and (n.published_at, n.id) ${isBefore ? sql`<` : sql`>`} (${of.publishedAt}, ${of.id})
    order by n.published_at ${isBefore ? sql`desc` : sql`asc`}, n.id ${isBefore ? sql`desc` : sql`asc`} limit 1`.execute(
    db,
  );
  return rows[0] ?? null;
}

export interface CaseRow {
  id: number;
  code: string;
  kind: keyof typeof caseKindNames;
  gameId: number | null;
  gameName: string;
  title: string;
  summary: string;
  amountFen: number | null;
  result: string;
  coverKey: string | null;
  happenedDay: string | null;
  views: number;
  publishedAt: Date;
}

const CASE = sql`c.id, c.code, c.kind, c.game_id as "gameId", coalesce(g.name, '') as "gameName", c.title, c.summary, c.amount_fen as "amountFen",
  c.result, c.cover_key as "coverKey", to_char(c.happened_on, 'YYYY-MM-DD') as "happenedDay", c.views, c.published_at as "publishedAt"`;
const CASES = sql`event_case c left join game g on g.id = c.game_id`;

/** Cases after a cursor, newest first, with the total. */
export async function casePage(
  db: Trx,
  f: { distId: number; kind: string | undefined; gameId: number | undefined },
  page: { after: [time: number, id: number] | undefined; offset: number; limit: number },
): Promise<{ rows: CaseRow[]; total: number }> {
  const where = sql`${visible('c', f.distId)} ${f.kind === undefined ? sql`` : sql`and c.kind = ${f.kind}`}
    ${f.gameId === undefined ? sql`` : sql`and c.game_id = ${f.gameId}`}`;
  const { after } = page;
  const behind = after ? sql`and (c.published_at, c.id) < (${new Date(after[0])}::timestamptz, ${after[1]})` : sql``;
  const [list, count] = await Promise.all([
    sql<CaseRow>`select ${CASE} from ${CASES} where ${where} ${behind} order by c.published_at desc, c.id desc
      limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ n: number }>`select count(*)::int as n from event_case c where ${where}`.execute(db),
  ]);
  return { rows: list.rows, total: count.rows[0]?.n ?? 0 };
}

/** One published case with up to `related` others of its kind. */
export async function findCase(
  db: Trx,
  distId: number,
  id: number,
  related: number,
): Promise<{ item: CaseRow & { blocks: StoredBlock[] }; related: CaseRow[] } | undefined> {
  const { rows } = await sql<CaseRow & { blocks: StoredBlock[] }>`
    select ${CASE}, c.blocks from ${CASES} where ${visible('c', distId)} and c.id = ${id}`.execute(db);
  const item = rows[0];
  if (!item) return undefined;
  const others = await sql<CaseRow>`select ${CASE} from ${CASES} where ${visible('c', distId)} and c.id <> ${id}
    order by (c.kind = ${item.kind}) desc, c.published_at desc limit ${related}`.execute(db);
  return { item, related: others.rows };
}

export interface MatchRow {
  id: number;
  leagueId: number;
  leagueName: string;
  stage: string;
  gameId: number;
  gameName: string;
  startTime: Date;
  bestOf: number;
  status: 'waiting' | 'playing' | 'over' | 'postponed';
  homeName: string;
  homeShort: string;
  homeLogo: string | null;
  homeScore: number;
  awayName: string;
  awayShort: string;
  awayLogo: string | null;
  awayScore: number;
  watchUrl: string | null;
}

const MATCHES = sql`league_match m join league l on l.id = m.league_id and l.status = ${sql.lit(PublicationStatus.Published)} join game g on g.id = l.game_id
  join league_team h on h.id = m.home_id join league_team a on a.id = m.away_id`;
const DAY = sql`(m.starts_at at time zone 'Asia/Shanghai')::date`;

export interface MatchFilter {
  distId: number;
  games: readonly number[] | null;
  gameId: number | undefined;
  leagueId: number | undefined;
  /** By China's calendar; without one, from today on. */
  day: string | undefined;
}

function matchWhere(f: MatchFilter, withDay = true): RawBuilder<unknown> {
  const day =
    f.day === undefined ? sql`${DAY} >= (now() at time zone 'Asia/Shanghai')::date` : sql`${DAY} = ${f.day}::date`;
  return sql`(l.dist_id is null or l.dist_id = ${f.distId}) and ${f.games === null ? sql`true` : sql`l.game_id = any(${[...f.games]}::int[])`}
    ${f.gameId === undefined ? sql`` : sql`and l.game_id = ${f.gameId}`} ${f.leagueId === undefined ? sql`` : sql`and l.id = ${f.leagueId}`}
    ${withDay ? sql`and ${day}` : sql``}`;
}

/** Matches after a cursor, earliest first, with the total. */
export async function matchPage(
  db: Trx,
  f: MatchFilter,
  page: { after: [time: number, id: number] | undefined; offset: number; limit: number },
): Promise<{ rows: MatchRow[]; total: number }> {
  const { after } = page;
  const behind = after ? sql`and (m.starts_at, m.id) > (${new Date(after[0])}::timestamptz, ${after[1]})` : sql``;
  const [list, count] = await Promise.all([
    sql<MatchRow>`
      select m.id, l.id as "leagueId", l.name as "leagueName", l.stage, g.id as "gameId", g.name as "gameName", m.starts_at as "startTime",
        m.best_of as "bestOf", m.status, h.name as "homeName", h.short_name as "homeShort", h.logo_key as "homeLogo", m.home_score as "homeScore",
        a.name as "awayName", a.short_name as "awayShort", a.logo_key as "awayLogo", m.away_score as "awayScore", m.watch_url as "watchUrl"
      from ${MATCHES} where ${matchWhere(f)} ${behind} order by m.starts_at, m.id limit ${page.limit} offset ${page.offset}`.execute(
      db,
    ),
    sql<{ n: number }>`select count(*)::int as n from ${MATCHES} where ${matchWhere(f)}`.execute(db),
  ]);
  return { rows: list.rows, total: count.rows[0]?.n ?? 0 };
}

/** Days from a week ago to two weeks ahead, and leagues, with the matches of each. */
export async function matchOverview(db: Trx, f: MatchFilter) {
  const near = sql`${DAY} between (now() at time zone 'Asia/Shanghai')::date - 7 and (now() at time zone 'Asia/Shanghai')::date + 14`;
  const open = { ...f, day: undefined };
  const [days, leagues] = await Promise.all([
    sql<{ day: string; matches: number }>`select to_char(${DAY}, 'YYYY-MM-DD') as day, count(*)::int as matches
      from ${MATCHES} where ${matchWhere(open, false)} and ${near} group by ${DAY} order by ${DAY}`.execute(db),
    sql<{ leagueId: number; name: string; gameId: number; logoKey: string | null; matches: number }>`
      select l.id as "leagueId", l.name, l.logo_key as "logoKey", l.game_id as "gameId", count(*)::int as matches
      from ${MATCHES} where ${matchWhere({ ...open, leagueId: undefined }, false)} and ${near} group by l.id order by l.sort, count(*) desc, l.id`.execute(
      db,
    ),
  ]);
  return { days: days.rows, leagues: leagues.rows };
}

export interface AdvertRow {
  id: number;
  position: string;
  device: number;
  title: string;
  smalltitle: string;
  htUrl: string;
  pictureKey: string | null;
  remind: boolean;
}

/** Adverts that are live now: of a game or of every game, of this site or of every site. */
export async function loadAdverts(
  db: Trx,
  f: { distId: number; gameId: number; device: number | undefined; position: string | undefined; limit: number },
): Promise<AdvertRow[]> {
  const { rows } = await sql<AdvertRow>`
    select a.id, a.position, a.device, a.title, a.small_title as smalltitle, a.ht_url as "htUrl", a.picture_key as "pictureKey", a.remind
    from advert a where a.status = ${sql.lit(PublicationStatus.Published)} and a.starts_at <= now() and (a.ends_at is null or a.ends_at > now())
      and (a.dist_id is null or a.dist_id = ${f.distId}) and (a.game_id is null or a.game_id = ${f.gameId})
      ${f.device === undefined ? sql`` : sql`and a.device = ${f.device}`} ${f.position === undefined ? sql`` : sql`and a.position = ${f.position}`}
    order by a.position, (a.game_id is null), a.sort, a.id limit ${f.limit}`.execute(db);
  return rows;
}

/** Paths of articles and cases with the day of their last change, for the sitemap. */
export async function addresses(db: Trx, distId: number): Promise<{ path: string; day: string }[]> {
  const { rows } = await sql<{ path: string; day: string }>`
    select '/news/' || n.code as path, to_char(n.updated_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day from news n where ${newsVisible(distId)}
    union all
    select '/eventCase/detail?id=' || c.id, to_char(c.updated_at at time zone 'Asia/Shanghai', 'YYYY-MM-DD') from event_case c where ${visible('c', distId)}
    limit 5000`.execute(db);
  return rows;
}
