/** Leagues and their matches in the back office: permissions, then the writes. Staff of a brand reach only their own leagues. */
import { type RawBuilder, sql } from 'kysely';
import type * as c from '#subjects/content/contract/staff-leagues.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { MatchStatus } from '../../rules/league.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decodeId, decodeKeyAndId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { contentPicture, imageUrl } from '#subjects/media/server/service.ts';
import { siteFor, siteName, sitesOf } from '../sites.ts';

const PAGE_SIZE = 30;
const COUNTED = 1000;
const TEAMS_OFFERED = 1000;
const LOGO_WIDTH = 160;

const logoUrl = (key: string | null): string | null => (key === null ? null : imageUrl(key));
const like = (text: string): string => `%${text.replace(/[\\%_]/g, (c) => `\\${c}`)}%`;

type LeagueItem = NonNullable<HandlerResult<typeof c.staffLeagueInfo>['league']>;
type LeagueRow = Omit<LeagueItem, 'distName' | 'logo'> & { logoKey: string | null };

const LEAGUE = sql`l.id, l.dist_id as "distId", l.game_id as "gameId", g.name as "gameName", l.name, l.stage,
  to_char(l.starts_on, 'YYYY-MM-DD') as "startDay", to_char(l.ends_on, 'YYYY-MM-DD') as "endDay", l.status, l.sort, l.logo_key as "logoKey", l.version`;

function leagueItem<R extends LeagueRow>({ ctx }: StaffCall, { logoKey, ...row }: R) {
  return { ...row, distName: siteName(ctx, row.distId), logo: logoUrl(logoKey) };
}

async function total(db: Trx, from: RawBuilder<unknown>): Promise<{ total: number; totalCapped: boolean }> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from ${from} limit ${COUNTED + 1}) c`.execute(db);
  const n = rows[0]?.n ?? 0;
  return { total: Math.min(n, COUNTED), totalCapped: n > COUNTED };
}

async function gamesFor({ ctx }: StaffCall): Promise<{ gameId: number; name: string }[]> {
  return (await catalogue(ctx)).list().map((g) => ({ gameId: g.id, name: g.name }));
}

/** Leagues of the caller's sites, newest first, with the number of missing scores. Throws FORBIDDEN. */
export async function listLeagues(
  call: StaffCall,
  input: Parsed<typeof c.staffLeagueList>,
): Promise<HandlerResult<typeof c.staffLeagueList>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'content.write');
  const size = input.pageSize ?? PAGE_SIZE;
  const before = decodeId(input.cursor);
  const where = sql`league l join game g on g.id = l.game_id where true ${ownSite(staff, sql`l.dist_id`)}
    ${input.status === undefined ? sql`` : sql`and l.status = ${input.status}`} ${input.gameId === undefined ? sql`` : sql`and l.game_id = ${input.gameId}`}
    ${input.keyWord === undefined ? sql`` : sql`and l.name like ${like(input.keyWord)}`}`;
  const [{ rows }, count, games] = await Promise.all([
    sql<LeagueRow & { matches: number; overdue: number; nextTime: Date | null }>`
      select p.*, m.matches, m.overdue, m."nextTime" from (
        select ${LEAGUE} from ${where} ${before === undefined ? sql`` : sql`and l.id < ${before}`} order by l.id desc
        limit ${size + 1} offset ${before === undefined ? ((input.pages ?? 1) - 1) * size : 0}) p
      cross join lateral (
        select count(*)::int as matches, count(*) filter (where m.status = 'waiting' and m.starts_at <= now())::int as overdue,
          min(m.starts_at) filter (where m.starts_at > now() and m.status = 'waiting') as "nextTime"
        from league_match m where m.league_id = p.id) m
      order by p.id desc`.execute(ctx.db),
    total(ctx.db, where),
    gamesFor(call),
  ]);
  const list = rows.slice(0, size).map((row) => leagueItem(call, row));
  const last = list.at(-1);
  return { list, games, ...count, next: rows.length > size && last ? encodeCursor([last.id]) : null };
}

/** The league of a member of staff. Throws NOT_FOUND. */
async function findLeague(call: StaffCall, id: number): Promise<LeagueRow> {
  const { rows } = await sql<LeagueRow>`
    select ${LEAGUE} from league l join game g on g.id = l.game_id where l.id = ${id} ${ownSite(call.staff, sql`l.dist_id`)}`.execute(
    call.ctx.db,
  );
  if (!rows[0]) throw errorOf('NOT_FOUND', 'league');
  return rows[0];
}

/** One league for editing with the games, sites and teams to choose from; an empty form without an id. Throws FORBIDDEN, NOT_FOUND. */
export async function leagueForStaff(
  call: StaffCall,
  id: number | undefined,
): Promise<HandlerResult<typeof c.staffLeagueInfo>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'content.write');
  const league = id === undefined ? null : await findLeague(call, id);
  const [games, teams] = await Promise.all([
    gamesFor(call),
    sql<{ teamId: number; name: string }>`
      select t.id as "teamId", t.name from league_team t where t.dist_id is null or t.dist_id = ${league?.distId ?? staff.distId}
      order by t.name limit ${TEAMS_OFFERED}`.execute(ctx.db),
  ]);
  return { league: league && leagueItem(call, league), sites: sitesOf(ctx, staff), games, teams: teams.rows };
}

/** Why an update of a league matched no row: it does not exist for this person, or another person has saved it. */
async function leagueChanged(trx: Trx, { staff }: StaffCall, id: number): Promise<AppError> {
  const { rows } = await sql`select from league l where l.id = ${id} ${ownSite(staff, sql`l.dist_id`)}`.execute(trx);
  return rows.length === 0 ? errorOf('NOT_FOUND', 'league') : new AppError('CONTENT_CHANGED');
}

/** Rejects dates that exclude matches of the league, and a game or teams that do not fit. Throws BAD_INPUT with the field. */
async function checkMatchesFit(trx: Trx, id: number): Promise<void> {
  const { rows } = await sql<{ first: string | null; last: string | null; outside: boolean; foreign: boolean }>`
    select to_char(min(d.day), 'YYYY-MM-DD') as first, to_char(max(d.day), 'YYYY-MM-DD') as last,
      coalesce(min(d.day) < l.starts_on or max(d.day) > l.ends_on, false) as outside,
      coalesce(bool_or(d.team_dist is not null and d.team_dist is distinct from l.dist_id), false) as foreign
    from league l left join lateral (
      select (m.starts_at at time zone 'Asia/Shanghai')::date as day, t.dist_id as team_dist
      from league_match m join league_team t on t.id in (m.home_id, m.away_id) where m.league_id = l.id) d on true
    where l.id = ${id} group by l.id`.execute(trx);
  const row = rows[0];
  if (row?.outside)
    throw new AppError('BAD_INPUT', {
      text: `已录入 ${row.first} 到 ${row.last} 的比赛，日期要包含它们`,
      field: 'startDay',
    });
  if (row?.foreign)
    throw new AppError('BAD_INPUT', { text: '比赛里有另一个站点自己的战队，不能换站点', field: 'distId' });
}

/**
 * Saves a league. A published one changes immediately on every node, because it is not cached. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with
 * the field, CONTENT_CHANGED when another person saved it meanwhile.
 */
export async function saveLeague(
  call: StaffCall,
  input: Parsed<typeof c.saveLeague>,
): Promise<HandlerResult<typeof c.saveLeague>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  const distId = siteFor(ctx, staff, input.distId);
  const { id, name, stage, startDay, endDay, sort, gameId } = input;
  if (endDay < startDay) throw new AppError('BAD_INPUT', { text: '结束日期不能早于开始日期', field: 'endDay' });
  if (!(await catalogue(ctx)).game(gameId)) throw new AppError('BAD_INPUT', { text: '游戏不存在', field: 'gameId' });
  return await inTransaction(ctx.db, async (trx) => {
    const logo = await contentPicture(trx, input.pictureKey);
    const { rows } = await (id === undefined
      ? sql<{ id: number; version: number }>`
          insert into league (dist_id, game_id, name, stage, starts_on, ends_on, sort, logo_key, status, created_by)
          values (${distId}, ${gameId}, ${name}, ${stage}, ${startDay}::date, ${endDay}::date, ${sort}, ${logo}, 0, ${staff.id}) returning id, version`
      : sql<{ id: number; version: number }>`
          update league l set dist_id = ${distId}, game_id = ${gameId}, name = ${name}, stage = ${stage}, starts_on = ${startDay}::date,
            ends_on = ${endDay}::date, sort = ${sort}, logo_key = ${logo}, version = l.version + 1, updated_at = now()
          where l.id = ${id} and l.version = ${input.version ?? 0} ${ownSite(staff, sql`l.dist_id`)} returning id, version`
    ).execute(trx);
    const row = rows[0];
    if (!row) throw await leagueChanged(trx, call, id ?? 0);
    await checkMatchesFit(trx, row.id);
    const detail = { name, stage, startDay, endDay, sort, distId, version: row.version };
    await audit(
      trx,
      staff,
      id === undefined ? 'content.leagueAdd' : 'content.leagueEdit',
      `league:${row.id}`,
      detail,
      ip,
    );
    return row;
  });
}

/** Publishes or withdraws a league; idempotent. Throws FORBIDDEN, NOT_FOUND. */
export async function publishLeague(
  call: StaffCall,
  { id, act: action }: Parsed<typeof c.publishLeague>,
): Promise<{ status: number }> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  const status = action === 'publish' ? 1 : 2;
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ name: string }>`
      update league l set status = ${status}, version = l.version + 1, updated_at = now()
      where l.id = ${id} and l.status <> ${status} ${ownSite(staff, sql`l.dist_id`)} returning l.name`.execute(trx);
    if (!rows[0]) {
      const known = await sql`select from league l where l.id = ${id} ${ownSite(staff, sql`l.dist_id`)}`.execute(trx);
      if (known.rows.length === 0) throw errorOf('NOT_FOUND', 'league');
    } else await audit(trx, staff, `content.${action}`, `league:${id}`, { name: rows[0].name }, ip);
    return { status };
  });
}

interface MatchRow {
  id: number;
  startTime: Date;
  bestOf: number;
  status: MatchStatus;
  isOverdue: boolean;
  watchUrl: string | null;
  version: number;
  homeId: number;
  homeName: string;
  homeLogo: string | null;
  homeScore: number;
  awayId: number;
  awayName: string;
  awayLogo: string | null;
  awayScore: number;
}

const teamLogo = (key: string | null): string | null => (key === null ? null : imageUrl(key, LOGO_WIDTH));

/** The matches of a league, earliest first. Throws FORBIDDEN, NOT_FOUND. */
export async function listMatches(
  call: StaffCall,
  input: Parsed<typeof c.staffMatchList>,
): Promise<HandlerResult<typeof c.staffMatchList>> {
  const { ctx, staff } = call;
  requirePermission(staff, 'content.write');
  await findLeague(call, input.leagueId);
  const size = input.pageSize ?? PAGE_SIZE;
  const after = decodeKeyAndId(input.cursor);
  const where = sql`league_match m join league_team h on h.id = m.home_id join league_team a on a.id = m.away_id
    where m.league_id = ${input.leagueId} ${input.status === undefined ? sql`` : sql`and m.status = ${input.status}`}`;
  const [{ rows }, count] = await Promise.all([
    sql<MatchRow>`
      select m.id, m.starts_at as "startTime", m.best_of as "bestOf", m.status, m.status = 'waiting' and m.starts_at <= now() as "isOverdue",
        m.watch_url as "watchUrl", m.version, h.id as "homeId", h.name as "homeName", h.logo_key as "homeLogo", m.home_score as "homeScore",
        a.id as "awayId", a.name as "awayName", a.logo_key as "awayLogo", m.away_score as "awayScore"
      from ${where} ${after ? sql`and (m.starts_at, m.id) > (${new Date(after[0])}::timestamptz, ${after[1]})` : sql``}
      order by m.starts_at, m.id limit ${size + 1} offset ${after ? 0 : ((input.pages ?? 1) - 1) * size}`.execute(
      ctx.db,
    ),
    total(ctx.db, where),
  ]);
  const list = rows.slice(0, size).map((m) => ({
    id: m.id,
    startTime: m.startTime,
    bestOf: m.bestOf,
    status: m.status,
    isOverdue: m.isOverdue,
    home: { teamId: m.homeId, name: m.homeName, logo: teamLogo(m.homeLogo), score: m.homeScore },
    away: { teamId: m.awayId, name: m.awayName, logo: teamLogo(m.awayLogo), score: m.awayScore },
    watchUrl: m.watchUrl,
    version: m.version,
  }));
  const last = list.at(-1);
  const next = rows.length > size && last ? encodeCursor([last.startTime.getTime(), last.id]) : null;
  return { list, ...count, next };
}
