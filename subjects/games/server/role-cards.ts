import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { addUserRoleCardInfo, roleCardInfoList } from '#subjects/games/contract/role-card.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction } from '#server/db/client.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, type Game, showsGame } from './service.ts';

const MAX_CARDS = 50;
const PAGE = 20;

type Input = Parsed<typeof addUserRoleCardInfo>;

function invalidInput(text: string): never {
  throw new AppError('BAD_INPUT', { text });
}

/** Area and server of the game; both are optional. */
function regionOf(game: Game, { areaId, serverId }: Input): { areaId: number | null; serverId: number | null } {
  if (areaId === undefined) {
    if (serverId !== undefined) invalidInput('请先选择大区');
    return { areaId: null, serverId: null };
  }
  const area = game.areas.find(({ id }) => id === areaId) ?? invalidInput('该游戏没有这个大区，请重新选择');
  if (serverId === undefined) return { areaId, serverId: null };
  if (!area.servers.some(({ id }) => id === serverId)) invalidInput('该大区没有这个服务器，请重新选择');
  return { areaId, serverId };
}

/** Adds a character, or changes one of the caller's. Throws NOT_FOUND for a missing game or card, BAD_INPUT for a region of another game. */
export async function saveRoleCard({ ctx, user, dist }: UserCall, input: Input): Promise<{ id: number }> {
  const game = (await catalogue(ctx)).game(input.gameId);
  if (!game || !showsGame(dist, game.id)) throw errorOf('NOT_FOUND', 'openGame');
  const { areaId, serverId } = regionOf(game, input);
  const { roleName, roleLevel = null, note = null, id } = input;
  return await inTransaction(ctx.db, async (trx) => {
    // Locks the user's row, so that concurrent requests cannot exceed the limit together.
    await sql`select from app_user where id = ${user.id} for no key update`.execute(trx);
    const { rows } =
      id === undefined
        ? await sql<{ id: number }>`
            insert into role_card (user_id, game_id, area_id, server_id, role_name, role_level, note)
            select ${user.id}, ${game.id}, ${areaId}::int, ${serverId}::int, ${roleName}, ${roleLevel}::int, ${note}
            where (select count(*) from role_card where user_id = ${user.id}) < ${MAX_CARDS} returning id`.execute(trx)
        : await sql<{ id: number }>`
            update role_card set game_id = ${game.id}, area_id = ${areaId}, server_id = ${serverId}, role_name = ${roleName},
              role_level = ${roleLevel}, note = ${note} where id = ${id} and user_id = ${user.id} returning id`.execute(
            trx,
          );
    const card = rows[0];
    if (card) return card;
    return id === undefined ? invalidInput(`最多保存 ${MAX_CARDS} 张角色卡`) : cardNotFound();
  });
}

function cardNotFound(): never {
  throw errorOf('NOT_FOUND', 'roleCard');
}

/** Removes a card of the caller. Throws NOT_FOUND, also for another user's. */
export async function dropRoleCard({ ctx, user }: UserCall, id: number): Promise<Record<string, never>> {
  const { numAffectedRows } = await sql`delete from role_card where id = ${id} and user_id = ${user.id}`.execute(
    ctx.db,
  );
  return numAffectedRows === 0n ? cardNotFound() : {};
}

interface Row {
  id: number;
  gameId: number;
  areaId: number | null;
  serverId: number | null;
  roleName: string;
  roleLevel: number | null;
  note: string | null;
  createdAt: Date;
  total: number;
}

/** The caller's characters, newest first, of one game when it is given. */
export async function roleCards(
  { ctx, user }: UserCall,
  input: Parsed<typeof roleCardInfoList>,
): Promise<HandlerResult<typeof roleCardInfoList>> {
  const limit = input.pageSize ?? PAGE;
  const after = decodeId(input.cursor);
  const ofGame = input.gameId === undefined ? sql`` : sql`and game_id = ${input.gameId}`;
  const behind = after === undefined ? sql`` : sql`and id < ${after}::bigint`;
  const offset = after === undefined ? ((input.pages ?? 1) - 1) * limit : 0;
  const [{ rows }, all] = await Promise.all([
    sql<Row>`
      select id, game_id as "gameId", area_id as "areaId", server_id as "serverId", role_name as "roleName", role_level as "roleLevel", note,
        created_at as "createdAt", (select count(*)::int from role_card where user_id = ${user.id} ${ofGame}) as total
      from role_card where user_id = ${user.id} ${ofGame} ${behind} order by id desc limit ${limit + 1} offset ${offset}`.execute(
      ctx.db,
    ),
    catalogue(ctx),
  ]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    list: page.map(({ createdAt, total: _total, note, ...card }) => ({
      ...card,
      gameName: all.game(card.gameId)?.name ?? '',
      areaName: card.areaId === null ? '' : (all.area(card.areaId)?.name ?? ''),
      serverName: card.serverId === null ? '' : (all.server(card.serverId)?.name ?? ''),
      note: note ?? '',
      createTime: createdAt,
    })),
    total: rows[0]?.total ?? 0,
    next: last ? encodeCursor([last.id]) : null,
  };
}
