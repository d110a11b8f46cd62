/** Matches and teams of leagues as staff write them. Staff of a brand write in their own leagues and change their own teams only. */
import { sql } from 'kysely';
import type * as c from '#subjects/content/contract/staff-leagues.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { matchFault } from '../../rules/league.ts';
import type { StaffCall } from '#server/access/call.ts';
import { ownSite, requirePermission } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { contentPicture, imageUrl } from '#subjects/media/server/service.ts';

const PAGE_SIZE = 30;
const COUNTED = 1000;
const LOGO_WIDTH = 160;

const constraintOf = (error: unknown): string => String((error as { constraint?: unknown }).constraint);

/**
 * Locks the league against a change of its dates and rejects input that does not fit: a day outside, teams that do not exist or belong to
 * another brand. Throws NOT_FOUND, BAD_INPUT with the field.
 */
async function checkLeague(trx: Trx, { staff }: StaffCall, input: Parsed<typeof c.saveMatch>): Promise<void> {
  const { leagueId, homeId, awayId, startTime } = input;
  const locked = await sql`
    select from league l where l.id = ${leagueId} ${ownSite(staff, sql`l.dist_id`)} for share`.execute(trx);
  if (locked.rows.length === 0) throw errorOf('NOT_FOUND', 'league');
  const { rows } = await sql<{ starts: string; ends: string; fits: boolean; teams: number[] }>`
    select to_char(l.starts_on, 'YYYY-MM-DD') as starts, to_char(l.ends_on, 'YYYY-MM-DD') as ends,
      (${startTime}::timestamptz at time zone 'Asia/Shanghai')::date between l.starts_on and l.ends_on as fits,
      array(select t.id from league_team t where t.id in (${homeId}, ${awayId}) and (t.dist_id is null or t.dist_id = l.dist_id)) as teams
    from league l where l.id = ${leagueId}`.execute(trx);
  const row = rows[0];
  if (!row?.fits)
    throw new AppError('BAD_INPUT', {
      text: `开赛时间应在赛事的 ${row?.starts} 到 ${row?.ends} 之间`,
      field: 'startTime',
    });
  for (const [field, id] of [
    ['homeId', homeId],
    ['awayId', awayId],
  ] as const)
    if (!row.teams.includes(id)) throw new AppError('BAD_INPUT', { text: '没有这支战队，请重新选择', field });
}

function rethrowDuplicateMatch(error: unknown): never {
  if (constraintOf(error) === 'league_match_once')
    throw new AppError('BAD_INPUT', { text: '这两队在这个时间的比赛已经录入过', field: 'startTime' });
  throw error;
}

/**
 * Saves a match with its score, live immediately. When two people save the same match, the second gets CONTENT_CHANGED. Throws FORBIDDEN,
 * NOT_FOUND, BAD_INPUT with the field, CONTENT_CHANGED.
 */
export async function saveMatch(
  call: StaffCall,
  input: Parsed<typeof c.saveMatch>,
): Promise<HandlerResult<typeof c.saveMatch>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  const fault = matchFault(input);
  if (fault) throw new AppError('BAD_INPUT', fault);
  const { id, leagueId, homeId, awayId, startTime, bestOf, homeScore, awayScore, status } = input;
  const watchUrl = input.watchUrl === '' ? null : input.watchUrl;
  return await inTransaction(ctx.db, async (trx) => {
    await checkLeague(trx, call, input);
    const written =
      id === undefined
        ? sql<{ id: number; version: number }>`
            insert into league_match (league_id, home_id, away_id, starts_at, best_of, home_score, away_score, status, watch_url)
            values (${leagueId}, ${homeId}, ${awayId}, ${startTime}, ${bestOf}, ${homeScore}, ${awayScore}, ${status}, ${watchUrl}) returning id, version`
        : sql<{ id: number; version: number }>`
            update league_match m set home_id = ${homeId}, away_id = ${awayId}, starts_at = ${startTime}, best_of = ${bestOf},
              home_score = ${homeScore}, away_score = ${awayScore}, status = ${status}, watch_url = ${watchUrl},
              version = m.version + 1, updated_at = now()
            where m.id = ${id} and m.league_id = ${leagueId} and m.version = ${input.version ?? 0} returning id, version`;
    const row = (await written.execute(trx).catch(rethrowDuplicateMatch)).rows[0];
    if (!row) throw await matchChanged(trx, call, id ?? 0);
    const detail = {
      score: `${homeScore}:${awayScore}`,
      status,
      startTime: startTime.toISOString(),
      version: row.version,
    };
    await audit(trx, staff, id === undefined ? 'content.matchAdd' : 'content.matchEdit', `match:${row.id}`, detail, ip);
    return row;
  });
}

/** Why a write of a match matched no row. */
async function matchChanged(trx: Trx, { staff }: StaffCall, id: number): Promise<AppError> {
  const { rows } = await sql`
    select from league_match m join league l on l.id = m.league_id where m.id = ${id} ${ownSite(staff, sql`l.dist_id`)}`.execute(
    trx,
  );
  return rows.length === 0 ? errorOf('NOT_FOUND', 'match') : new AppError('CONTENT_CHANGED');
}

/** Deletes a match that was entered by mistake. Throws FORBIDDEN, NOT_FOUND, CONTENT_CHANGED. */
export async function removeMatch(call: StaffCall, { id, version }: Parsed<typeof c.removeMatch>): Promise<void> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ home: string; away: string; startTime: Date }>`
      delete from league_match m using league l, league_team h, league_team a
      where m.id = ${id} and m.version = ${version} and l.id = m.league_id and h.id = m.home_id and a.id = m.away_id ${ownSite(staff, sql`l.dist_id`)}
      returning h.name as home, a.name as away, m.starts_at as "startTime"`.execute(trx);
    if (!rows[0]) throw await matchChanged(trx, call, id);
    const detail = { teams: `${rows[0].home} - ${rows[0].away}`, startTime: rows[0].startTime.toISOString() };
    await audit(trx, staff, 'content.matchRemove', `match:${id}`, detail, ip);
  });
}

type TeamItem = HandlerResult<typeof c.staffTeamList>['list'][number];

/** Teams that the caller's leagues can choose, newest first. Throws FORBIDDEN. */
export async function listTeams(
  { ctx, staff }: StaffCall,
  input: Parsed<typeof c.staffTeamList>,
): Promise<HandlerResult<typeof c.staffTeamList>> {
  requirePermission(staff, 'content.write');
  const size = input.pageSize ?? PAGE_SIZE;
  const before = decodeId(input.cursor);
  const keyWord = input.keyWord?.replace(/[\\%_]/g, (ch) => `\\${ch}`);
  const where = sql`league_team t where ${staff.distId === null ? sql`true` : sql`(t.dist_id is null or t.dist_id = ${staff.distId})`}
    ${keyWord === undefined ? sql`` : sql`and (t.name like ${`%${keyWord}%`} or t.short_name like ${`%${keyWord}%`})`}`;
  const [{ rows }, count] = await Promise.all([
    sql<Omit<TeamItem, 'logo' | 'distName' | 'mayEdit'> & { logoKey: string | null; distId: number | null }>`
      select t.id, t.name, t.short_name as "shortName", t.logo_key as "logoKey", t.dist_id as "distId", t.version,
        (select count(*)::int from league_match m where m.home_id = t.id or m.away_id = t.id) as matches
      from ${where} ${before === undefined ? sql`` : sql`and t.id < ${before}`} order by t.id desc
      limit ${size + 1} offset ${before === undefined ? ((input.pages ?? 1) - 1) * size : 0}`.execute(ctx.db),
    sql<{ n: number }>`select count(*)::int as n from (select from ${where} limit ${COUNTED + 1}) c`.execute(ctx.db),
  ]);
  const list = rows.slice(0, size).map(({ logoKey, distId, ...team }) => ({
    ...team,
    logo: logoKey === null ? null : imageUrl(logoKey, LOGO_WIDTH),
    distName: distId === null ? '' : (ctx.dir.byId(distId)?.name ?? ''),
    mayEdit: staff.distId === null || distId === staff.distId,
  }));
  const last = list.at(-1);
  const n = count.rows[0]?.n ?? 0;
  const next = rows.length > size && last ? encodeCursor([last.id]) : null;
  return { list, total: Math.min(n, COUNTED), totalCapped: n > COUNTED, next };
}

function rethrowDuplicateTeam(error: unknown): never {
  if (constraintOf(error) === 'league_team_name')
    throw new AppError('BAD_INPUT', { text: '已经有这个名字的战队', field: 'name' });
  throw error;
}

/** Saves a team; staff of a brand make and change teams of the brand. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT, CONTENT_CHANGED. */
export async function saveTeam(
  call: StaffCall,
  input: Parsed<typeof c.saveTeam>,
): Promise<HandlerResult<typeof c.saveTeam>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  const { id, name, shortName } = input;
  return await inTransaction(ctx.db, async (trx) => {
    const logo = await contentPicture(trx, input.pictureKey);
    const written =
      id === undefined
        ? sql<{ id: number; version: number }>`
            insert into league_team (dist_id, name, short_name, logo_key) values (${staff.distId}, ${name}, ${shortName}, ${logo}) returning id, version`
        : sql<{ id: number; version: number }>`
            update league_team t set name = ${name}, short_name = ${shortName}, logo_key = ${logo}, version = t.version + 1
            where t.id = ${id} and t.version = ${input.version ?? 0} ${ownSite(staff, sql`t.dist_id`)} returning id, version`;
    const row = (await written.execute(trx).catch(rethrowDuplicateTeam)).rows[0];
    if (!row) {
      const known =
        await sql`select from league_team t where t.id = ${id ?? 0} ${ownSite(staff, sql`t.dist_id`)}`.execute(trx);
      throw new AppError(known.rows.length === 0 ? 'NOT_FOUND' : 'CONTENT_CHANGED');
    }
    await audit(
      trx,
      staff,
      id === undefined ? 'content.teamAdd' : 'content.teamEdit',
      `team:${row.id}`,
      { name, shortName, version: row.version },
      ip,
    );
    return row;
  });
}

/** Deletes a team that plays in no match. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT. */
export async function removeTeam(call: StaffCall, { id }: Parsed<typeof c.removeTeam>): Promise<void> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'content.write');
  await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ name: string }>`
      delete from league_team t where t.id = ${id} ${ownSite(staff, sql`t.dist_id`)} returning t.name`
      .execute(trx)
      .catch((error: unknown) => {
        if (constraintOf(error).startsWith('league_match_'))
          throw new AppError('BAD_INPUT', { text: '这支战队有比赛，不能删除；可以改名', field: 'id' });
        throw error;
      });
    if (!rows[0]) throw errorOf('NOT_FOUND', 'team');
    await audit(trx, staff, 'content.teamRemove', `team:${id}`, { name: rows[0].name }, ip);
  });
}
