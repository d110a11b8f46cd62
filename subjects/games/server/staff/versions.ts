/** Versions of a game: publishing the draft, restoring an older version, showing and hiding. */
import { sql } from 'kysely';
import type * as c from '#subjects/games/contract/staff-games.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import { GameStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { Bus } from '#server/ports/bus.ts';
import { CATALOGUE_CHANNEL } from '../channel.ts';
import { type StoredGame, storedGames } from '../doc.ts';
import { lockCatalogue } from '../plan.ts';
import { writeGame } from '../store.ts';
import { editedGame, plannedGame, refuseStale } from './drafts.ts';

const VERSIONS = 50;

/** The newest versions of a game, newest first. */
export async function loadVersions(
  db: Trx,
  gameId: number,
): Promise<HandlerResult<typeof c.staffGameInfo>['versions']> {
  const { rows } = await sql<HandlerResult<typeof c.staffGameInfo>['versions'][number]>`
    select v.version, v.source, v.reason, s.name as "staffName", v.created_at as "createTime", v.changes
    from game_version v left join staff s on s.id = v.created_by where v.game_id = ${gameId} order by v.version desc limit ${VERSIONS}`.execute(
    db,
  );
  return rows;
}

async function docOfVersion(db: Trx, gameId: number, version: number): Promise<GameDoc> {
  const { rows } = await sql<{ doc: GameDoc }>`
    select doc from game_version where game_id = ${gameId} and version = ${version}`.execute(db);
  if (!rows[0]) throw errorOf('NOT_FOUND', 'version');
  return rows[0].doc;
}

async function storedGame(db: Trx, gameId: number): Promise<StoredGame> {
  const [current] = await storedGames(db, [gameId]);
  if (!current) throw errorOf('NOT_FOUND', 'game');
  return current;
}

/** One version, with the changes that restoring it would make. Throws FORBIDDEN, NOT_FOUND. */
export async function gameVersion(
  { ctx, staff }: StaffCall,
  { gameId, version }: Parsed<typeof c.staffGameVersion>,
): Promise<HandlerResult<typeof c.staffGameVersion>> {
  requirePlatform(staff, 'game.read');
  const [current, doc] = await Promise.all([storedGame(ctx.db, gameId), docOfVersion(ctx.db, gameId, version)]);
  const { changes, problems } = await plannedGame(ctx.db, current, doc);
  return { doc, changes: [...changes], problems };
}

/** Notifies every node that the catalogue has changed. */
function announce({ bus }: { bus: Bus }): void {
  bus.publish(CATALOGUE_CHANNEL, {});
}

async function setStatus(trx: Trx, gameId: number, isOpen: boolean): Promise<boolean> {
  const status = isOpen ? GameStatus.Open : GameStatus.Hidden;
  const { rows } = await sql`
    update game set status = ${status} where id = ${gameId} and status <> ${status} returning id`.execute(trx);
  return rows.length > 0;
}

/** Rejects a version that is no longer the newest. Throws GAME_CHANGED. */
function requireNewest(current: StoredGame | undefined, seen: number): void {
  if ((current?.version ?? 0) !== seen)
    throw new AppError('GAME_CHANGED', {
      text: `线上已是第 ${current?.version ?? 0} 版，请看过再操作`,
      field: 'version',
    });
}

type Published = HandlerResult<typeof c.publishGame>;

async function publishWithin(
  trx: Trx,
  { staff, ip }: StaffCall,
  input: Parsed<typeof c.publishGame>,
): Promise<Published> {
  const { gameId, rev, reason } = input;
  await lockCatalogue(trx);
  const { current, draft } = await editedGame(trx, gameId, true);
  if (!draft || draft.rev !== rev) refuseStale(draft);
  requireNewest(current, input.version);
  requireNewest(current, draft.base);
  const plan = await plannedGame(trx, current, draft.doc);
  const [first] = plan.problems;
  if (first) throw new AppError('GAME_INVALID', { field: `doc.${first.path}` });
  if (current && plan.changes.length === 0) throw new AppError('BAD_INPUT', { text: '与线上没有不同，不用发布' });
  const by = { staffId: staff.id, source: 'staff' as const, reason };
  const written = await writeGame(trx, { ...plan, draftId: current ? undefined : gameId }, by);
  if (!current && !input.open) await setStatus(trx, written.gameId, false);
  await sql`delete from game_draft where game_id = ${gameId}`.execute(trx);
  const detail = {
    name: plan.doc.name,
    version: written.version,
    changes: plan.changes.map(({ text }) => text).slice(0, 50),
    reason,
  };
  await audit(trx, staff, 'game.publish', `game:${written.gameId}`, detail, ip);
  if (current?.status === GameStatus.Hidden && input.open)
    await show(trx, { staff, ip }, { gameId: written.gameId, open: true, reason });
  return written;
}

/**
 * Publishes the draft that was read, whole, as the next version. Throws FORBIDDEN, NOT_FOUND, GAME_CHANGED when the draft or the published
 * version has changed since it was read, GAME_INVALID with the field of the first problem, BAD_INPUT without a difference.
 */
export async function publish(call: StaffCall, input: Parsed<typeof c.publishGame>): Promise<Published> {
  requirePlatform(call.staff, 'game.publish');
  const published = await inTransaction(call.ctx.db, async (trx) => await publishWithin(trx, call, input));
  announce(call.ctx);
  return published;
}

/** Publishes the content of an older version as the next one. The draft is kept. Throws FORBIDDEN, NOT_FOUND, GAME_CHANGED, BAD_INPUT. */
export async function rollback(
  call: StaffCall,
  { gameId, version, live, reason }: Parsed<typeof c.rollbackGame>,
): Promise<HandlerResult<typeof c.rollbackGame>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'game.publish');
  const written = await inTransaction(ctx.db, async (trx) => {
    await lockCatalogue(trx);
    await sql`select from game where id = ${gameId} for update`.execute(trx);
    const current = await storedGame(trx, gameId);
    requireNewest(current, live);
    const plan = await plannedGame(trx, current, await docOfVersion(trx, gameId, version));
    const [first] = plan.problems;
    if (first) throw new AppError('BAD_INPUT', { text: `现在退不回这一版：${first.text}`, field: 'version' });
    if (plan.changes.length === 0)
      throw new AppError('BAD_INPUT', { text: '与线上没有不同，不用退回', field: 'version' });
    const done = await writeGame(trx, plan, { staffId: staff.id, source: 'rollback', reason });
    const detail = { name: plan.doc.name, from: version, version: done.version, reason };
    await audit(trx, staff, 'game.rollback', `game:${gameId}`, detail, ip);
    return done;
  });
  announce(ctx);
  return { version: written.version };
}

async function show(
  trx: Trx,
  { staff, ip }: Pick<StaffCall, 'staff' | 'ip'>,
  { gameId, open, reason }: Parsed<typeof c.setGameStatus>,
): Promise<void> {
  const current = await storedGame(trx, gameId);
  if (!(await setStatus(trx, gameId, open)))
    throw new AppError('BAD_INPUT', { text: open ? '这个游戏已经上线' : '这个游戏已经下线' });
  await audit(trx, staff, 'game.status', `game:${gameId}`, { name: current.doc.name, open, reason }, ip);
  // Its listings are removed from the search, or added again.
  await emit(trx, 'game.published', { gameId, version: current.version, merges: [] });
}

/** Shows a game on the sites, or hides it with its listings. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT when nothing would change. */
export async function setOpen(call: StaffCall, input: Parsed<typeof c.setGameStatus>): Promise<void> {
  requirePlatform(call.staff, 'game.publish');
  await inTransaction(call.ctx.db, async (trx) => await show(trx, call, input));
  announce(call.ctx);
}
