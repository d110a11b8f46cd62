/** Games in the back office: permission checks and drafts. The catalogue belongs to the platform. */
import { sql } from 'kysely';
import type * as c from '#subjects/games/contract/staff-games.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { GameDoc } from '#subjects/games/contract/game-doc.ts';
import { gameIconUrl } from '../../rules/game-icon.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import { GameStatus } from '#contract/rules/statuses.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { storedGames } from '../doc.ts';
import { lockCatalogue } from '../plan.ts';
import { starterDoc, usualSteps } from '../starter.ts';
import { newGameId } from '../store.ts';
import { loadDraft, editedGame, plannedGame, refuseStale, storeDraft } from './drafts.ts';
import { loadVersions } from './versions.ts';

export type OnSale = ReadonlyMap<number, ReadonlyMap<number, number>>;

const totalOf = (counts: OnSale, gameId: number): number =>
  [...(counts.get(gameId)?.values() ?? [])].reduce((sum, n) => sum + n, 0);

const mayOf = ({ staff }: StaffCall) => ({
  edit: staff.distId === null && staffCan(staff, 'game.edit'),
  publish: staff.distId === null && staffCan(staff, 'game.publish'),
});

type Item = HandlerResult<typeof c.staffGameList>['list'][number];

interface Row {
  gameId: number;
  status: number | null;
  version: number;
  publishTime: Date | null;
  doc: Pick<
    GameDoc,
    | 'code'
    | 'name'
    | 'aliases'
    | 'pinyin'
    | 'initials'
    | 'gameType'
    | 'hot'
    | 'icon'
    | 'glyph'
    | 'hue'
    | 'scene'
    | 'goodsTypes'
  >;
  areas: number;
  servers: number;
  fields: number;
  draftRev: number | null;
  draftTime: Date | null;
  draftBy: number | null;
  draftByName: string | null;
}

/** Whether a game matches a keyword in its name, code, pinyin or aliases. */
function isFound({ doc }: Row, keyWord: string): boolean {
  const wanted = keyWord.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
  return [doc.name, doc.code, doc.pinyin, doc.initials, ...doc.aliases].some((n) =>
    n.normalize('NFKC').toLowerCase().replace(/\s+/g, '').includes(wanted),
  );
}

const stateOf = ({ status }: { status: number | null }): Item['state'] =>
  status === null ? 'new' : status === GameStatus.Open ? 'open' : 'hidden';

/** All games with their counts: new ones first, then hot ones. Throws FORBIDDEN. */
export async function listGames(
  call: StaffCall,
  input: Parsed<typeof c.staffGameList>,
  counts: OnSale,
): Promise<HandlerResult<typeof c.staffGameList>> {
  requirePlatform(call.staff, 'game.read');
  const { rows } = await sql<Row>`
    select coalesce(g.id, d.game_id) as "gameId", g.status, coalesce(g.version, 0) as version,
      (select max(v.created_at) from game_version v where v.game_id = g.id) as "publishTime",
      coalesce(case when g.id is not null then jsonb_build_object('code', g.code, 'name', g.name, 'aliases', to_jsonb(g.aliases), 'pinyin', g.pinyin,
        'initials', g.initials, 'gameType', g.game_type, 'hot', g.hot, 'icon', g.icon_key, 'glyph', g.glyph, 'hue', g.hue, 'scene', g.scene,
        'goodsTypes', g.goods_types) end, d.doc, '{}'::jsonb) as doc,
      (select count(*)::int from game_area a where a.game_id = g.id and a.status = ${sql.lit(GameStatus.Open)}) as areas,
      (select count(*)::int from game_server s join game_area a on a.id = s.area_id where a.game_id = g.id and a.status = ${sql.lit(GameStatus.Open)} and s.status = ${sql.lit(GameStatus.Open)}) as servers,
      coalesce((select count(*)::int from jsonb_array_elements((select v.body from catalogue_version v
        where v.game_id = g.id and v.kind = 'fields' order by v.version desc limit 1)) f where f->'retired' is null), 0) as fields,
      d.rev as "draftRev", d.updated_at as "draftTime", d.updated_by as "draftBy", s.name as "draftByName"
    from game g full join game_draft d on d.game_id = g.id left join staff s on s.id = d.updated_by
    order by g.id is not null, g.status = ${sql.lit(GameStatus.Hidden)}, g.hot = 0, g.hot, g.initial, 1`.execute(
    call.ctx.db,
  );
  const isShown = (row: Row): boolean =>
    (input.state === undefined || stateOf(row) === input.state) &&
    (input.type === undefined || row.doc.gameType === input.type) &&
    (input.keyWord === undefined || isFound(row, input.keyWord));
  const inState = (state: Item['state']): number => rows.filter((row) => stateOf(row) === state).length;
  return {
    list: rows.filter(isShown).map((row): Item => {
      const { doc, gameId, draftRev, draftTime } = row;
      return {
        gameId,
        code: doc.code,
        name: doc.name,
        gameType: doc.gameType,
        icon: gameIconUrl(doc),
        state: stateOf(row),
        hot: doc.hot,
        version: row.version,
        publishTime: row.publishTime,
        areas: row.areas,
        servers: row.servers,
        fields: row.fields,
        goodsTypes: doc.goodsTypes.map(({ name }) => name),
        onSale: totalOf(counts, gameId),
        draft:
          draftRev === null || draftTime === null
            ? null
            : { rev: draftRev, time: draftTime, staffName: row.draftByName, isMine: row.draftBy === call.staff.id },
      };
    }),
    counts: { open: inState('open'), hidden: inState('hidden'), new: inState('new') },
    may: mayOf(call),
  };
}

/** A game for its editor. Throws FORBIDDEN, NOT_FOUND. */
export async function gameInfo(
  call: StaffCall,
  { gameId }: Parsed<typeof c.staffGameInfo>,
  counts: OnSale,
): Promise<HandlerResult<typeof c.staffGameInfo>> {
  const { ctx, staff } = call;
  requirePlatform(staff, 'game.read');
  const { current, draft } = await editedGame(ctx.db, gameId);
  const doc = draft?.doc ?? current?.doc;
  if (!doc) throw errorOf('NOT_FOUND', 'game');
  const [plan, versions] = await Promise.all([plannedGame(ctx.db, current, doc), loadVersions(ctx.db, gameId)]);
  const live = current?.doc ?? doc;
  return {
    gameId,
    state: stateOf({ status: current?.status ?? null }),
    version: current?.version ?? 0,
    icon: gameIconUrl(live),
    doc: live,
    draft: draft
      ? {
          rev: draft.rev,
          time: draft.time,
          staffName: draft.staffName,
          isMine: draft.staffId === staff.id,
          base: draft.base,
          doc: draft.doc,
        }
      : null,
    problems: plan.problems,
    changes: [...plan.changes],
    onSale: totalOf(counts, gameId),
    versions,
    usual: usualSteps,
    may: mayOf(call),
  };
}

/** Creates a game as a draft: users do not see it until it is published. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field. */
export async function createGame(
  call: StaffCall,
  input: Parsed<typeof c.createGame>,
): Promise<HandlerResult<typeof c.createGame>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'game.edit');
  return await inTransaction(ctx.db, async (trx) => {
    await lockCatalogue(trx);
    const { rows } = await sql<{ code: string }>`
      select code from game where code = ${input.code} or lower(name) = lower(${input.name})
      union all select doc->>'code' from game_draft d where not exists (select from game g where g.id = d.game_id)
        and (doc->>'code' = ${input.code} or lower(doc->>'name') = lower(${input.name}))`.execute(trx);
    const [duplicate] = rows;
    if (duplicate)
      throw duplicate.code === input.code
        ? new AppError('BAD_INPUT', { text: '这个编码已有别的游戏在用', field: 'code' })
        : new AppError('BAD_INPUT', { text: '已有同名的游戏', field: 'name' });
    const [like] = input.like === undefined ? [] : await storedGames(trx, [input.like]);
    if (input.like !== undefined && !like)
      throw new AppError('BAD_INPUT', { text: '没有这个游戏，请重新选择', field: 'like' });
    const gameId = await newGameId(trx);
    await storeDraft(trx, { gameId, rev: 0, base: 0, doc: starterDoc(input, like?.doc), staffId: staff.id });
    await audit(trx, staff, 'game.create', `game:${gameId}`, { name: input.name, code: input.code }, ip);
    return { gameId };
  });
}

/**
 * Stores the draft and returns its errors and its differences from the published version. Throws FORBIDDEN, NOT_FOUND,
 * GAME_CHANGED.
 */
export async function saveDraft(
  call: StaffCall,
  { gameId, rev, base, doc }: Parsed<typeof c.saveGameDraft>,
): Promise<HandlerResult<typeof c.saveGameDraft>> {
  const { ctx, staff } = call;
  requirePlatform(staff, 'game.edit');
  return await inTransaction(ctx.db, async (trx) => {
    const { current } = await editedGame(trx, gameId);
    if (base > (current?.version ?? 0)) throw new AppError('GAME_CHANGED');
    const saved = await storeDraft(trx, { gameId, rev, base, doc, staffId: staff.id });
    const { problems, changes } = await plannedGame(trx, current, doc);
    return { ...saved, problems, changes: [...changes] };
  });
}

/** Deletes the draft; a game that was never published is deleted with it. Throws FORBIDDEN, NOT_FOUND, GAME_CHANGED. */
export async function dropDraft(
  call: StaffCall,
  { gameId, rev }: Parsed<typeof c.dropGameDraft>,
): Promise<HandlerResult<typeof c.dropGameDraft>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'game.edit');
  return await inTransaction(ctx.db, async (trx) => {
    const { current, draft } = await editedGame(trx, gameId, true);
    if (!draft || draft.rev !== rev) refuseStale(await loadDraft(trx, gameId));
    await sql`delete from game_draft where game_id = ${gameId}`.execute(trx);
    if (!current) await audit(trx, staff, 'game.drop', `game:${gameId}`, { name: draft.doc.name }, ip);
    return { isGone: current === undefined };
  });
}
