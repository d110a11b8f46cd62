import { sql } from 'kysely';
import type { recycleApply, recycleFloor } from '#subjects/recycling/contract/account-recycling.ts';
import type { FieldError } from '#contract/codes.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { isCollection } from '#contract/rules/catalogue.ts';
import { spanText } from '#contract/rules/time/span.ts';
import { AuthStatus, GoodsStatus, RecyclerStatus } from '#contract/rules/statuses.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { emit, schedule } from '#server/jobs/effect-writer.ts';
import { accountIdentity } from '#server/kernel/account-identity.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError, requireValid } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { type Catalogue, catalogue, showsGame } from '#subjects/games/server/service.ts';
import { commissionOf } from '#subjects/orders/server/service.ts';
import {
  accountFields,
  checkedDetails,
  cutsOf,
  type Valuation,
  valueAccount,
} from '#subjects/valuation/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { bidFloor, withinBudget } from './platform.ts';
import { platformSpent } from './rows.ts';
import { cutLines, floorView } from './view.ts';

const SN_LENGTH = 10;
/** Maximum number of open requests per person. */
const MAX_OPEN = 3;
/** Requests of one person in 24 hours: each reserves its floor from the platform's budget while it is open. */
const MAX_A_DAY = 8;

type Input = Parsed<typeof recycleFloor>;

async function checked({ ctx, dist }: Call, input: Input) {
  const all = await catalogue(ctx);
  const game = all.game(input.gameId);
  if (!game || !showsGame(dist, input.gameId)) throw errorOf('NOT_FOUND', 'game');
  const { areaId, serverId } = input;
  if (areaId !== undefined && all.area(areaId)?.gameId !== game.id)
    throw new AppError('BAD_INPUT', { text: '大区不属于该游戏', field: 'areaId' });
  if (serverId !== undefined && all.server(serverId)?.areaId !== areaId)
    throw new AppError('BAD_INPUT', { text: '服务器不属于该大区', field: 'serverId' });
  const fields = accountFields(all, game.id);
  // Its listings are of other games, and only those show what an account is worth.
  if (isCollection(all.fieldsOf(game.id))) throw errorOf('NOT_FOUND', 'game');
  const attrs = checkedDetails(fields, input.details);
  const account = { attrs, areaId: areaId ?? null };
  return { all, game, fields, account, valuation: await valueAccount(ctx, game.id, account) };
}

const noFloorText = (valuation: Valuation | undefined, isBudgetLeft: boolean): string => {
  if (!valuation) return '同类成交不足 30 件，不给保底，只开竞价';
  if (!valuation.floor) return '这个价位平台不保底，只开竞价';
  return isBudgetLeft ? '' : '平台本期保底额度已用完，只开竞价';
};

/** The floor of an account with its reasons and the table of differences. Throws NOT_FOUND, BAD_INPUT by field. */
export async function quoteFloor(call: Call, input: Input): Promise<HandlerResult<typeof recycleFloor>> {
  const { ctx } = call;
  const { all, game, fields, account, valuation } = await checked(call, input);
  const setting = ctx.dir.setting('recycling');
  const floor = valuation?.floor ?? null;
  const isBudgetLeft = floor === null || (await platformSpent(ctx.db)) + floor.floorFen <= setting.budgetFen;
  const price = floor?.floorFen ?? valuation?.band.typicalFen;
  const typicalFen = valuation?.band.typicalFen;
  const cuts = cutsOf(fields, account, valuation?.model.body);
  return {
    floor: floor && isBudgetLeft && valuation ? floorView(floor, valuation.model) : null,
    noFloor: noFloorText(valuation, isBudgetLeft),
    samples: valuation?.model.samples ?? 0,
    sellNet: typicalFen === undefined ? null : typicalFen - commissionOf(typicalFen, ctx.dir.setting('fees')),
    cuts: price === undefined ? [] : cutLines(cuts, price, all, game.id),
  };
}

/** Rejects accounts that cannot be recycled. Throws GOODS_NOT_ON_SALE, BAD_INPUT, ORDER_TOO_MANY_UNPAID. */
async function requireFree(trx: Trx, userId: number, fingerprint: Buffer): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('recycle', ${userId}))`.execute(trx);
  const { rows } = await sql<{ open: number; today: number; listed: boolean; running: boolean; taking: boolean }>`
    select (select count(*)::int from recycle_request where user_id = ${userId} and status in ('bidding', 'quoted', 'accepted', 'reconfirm')) as open,
      (select count(*)::int from recycle_request where user_id = ${userId} and created_at > now() - interval '24 hours') as today,
      exists (select from goods where fingerprint = ${fingerprint} and status in (${sql.lit(GoodsStatus.Reviewing)}, ${sql.lit(GoodsStatus.OnSale)}, ${sql.lit(GoodsStatus.Locked)})) as listed,
      exists (select from recycle_request where fingerprint = ${fingerprint} and status in ('bidding', 'quoted', 'accepted', 'reconfirm')) as running,
      exists (select from recycle_request r join hold h on h.code = 'sale_protection' and h.ref = r.order_id::text and h.released_at is null
        where r.fingerprint = ${fingerprint} and r.status = 'paid') as taking`.execute(trx);
  const now = rows[0];
  if (now?.running)
    throw new AppError('BAD_INPUT', { text: '这个账号正在回收中，请到回收申请里查看', field: 'accountNo' });
  if (now?.taking)
    throw new AppError('BAD_INPUT', { text: '这个账号刚被回收，接管结束前不能再次回收', field: 'accountNo' });
  if (now?.listed) throw new AppError('BAD_INPUT', { text: '这个账号正在出售，请先下架再回收', field: 'accountNo' });
  if ((now?.open ?? 0) >= MAX_OPEN)
    throw new AppError('BAD_INPUT', { text: `最多同时回收 ${MAX_OPEN} 个账号，请先处理进行中的申请` });
  if ((now?.today ?? 0) >= MAX_A_DAY)
    throw new AppError('BAD_INPUT', { text: `24 小时内最多申请 ${MAX_A_DAY} 次回收，请明天再来` });
}

type Checked = Awaited<ReturnType<typeof checked>>;

async function insertRequest(
  trx: Trx,
  call: UserCall,
  input: Parsed<typeof recycleApply>,
  { valuation, fields, account, all }: Checked,
) {
  const { ctx, user, dist } = call;
  const setting = ctx.dir.setting('recycling');
  const identity = accountIdentity(ctx.keys, input.gameId, input.accountNo);
  await requireFree(trx, user.id, identity.print);
  const floor = valuation?.floor ?? null;
  const isFloored = floor !== null && (await withinBudget(trx, floor.floorFen, setting.budgetFen));
  const typicalFen = valuation?.band.typicalFen;
  const basis = {
    ...(isFloored && floor),
    ...(valuation && { samples: valuation.model.samples, madeAt: valuation.model.madeAt.toISOString() }),
    ...(typicalFen !== undefined && {
      sellNetFen: typicalFen - commissionOf(typicalFen, ctx.dir.setting('fees')),
    }),
  };
  const { rows } = await sql<{ id: number; sn: string; dueAt: Date }>`
    insert into recycle_request (sn, dist_id, user_id, game_id, type_id, area_id, server_id, details, fields_version, fingerprint, account_near, account_hint, floor_fen, floor_basis, cuts, bids_until, due_at)
    values (${`HS${readableCode(SN_LENGTH)}`}, ${dist.id}, ${user.id}, ${input.gameId}, 1, ${input.areaId ?? null}, ${input.serverId ?? null}, ${JSON.stringify(account.attrs)}::jsonb,
      ${all.game(input.gameId)?.fieldsVersion ?? 1}, ${identity.print}, ${identity.near}, ${identity.hint}, ${isFloored ? floor.floorFen : null}, ${JSON.stringify(basis)}::jsonb,
      ${JSON.stringify(cutsOf(fields, account, valuation?.model.body))}::jsonb, now() + make_interval(secs => ${setting.bidSeconds}), now() + make_interval(secs => ${setting.bidSeconds}))
    returning id, sn, due_at as "dueAt"`.execute(trx);
  const row = rows[0];
  if (!row) throw new Error('the request was not stored');
  if (isFloored) await bidFloor(trx, { id: row.id, distId: dist.id }, floor.floorFen);
  await schedule(trx, 'recycle.due', row.id, row.dueAt);
  return row;
}

/** Notifies the recyclers of a game that a request is open for bids. */
async function notifyRecyclers(
  trx: Trx,
  all: Catalogue,
  gameId: number,
  request: { id: number; sn: string; userId: number; bidSeconds: number },
): Promise<void> {
  const { rows } = await sql<{ ids: number[] | null }>`
    select array_agg(user_id) as ids from (select user_id from recycler where status = ${sql.lit(RecyclerStatus.Active)} and not is_platform and user_id <> ${request.userId}
      and (cardinality(games) = 0 or ${gameId} = any(games)) order by won_count desc limit 200) r`.execute(trx);
  const userIds = rows[0]?.ids ?? [];
  if (userIds.length === 0) return;
  const text = `${all.game(gameId)?.name ?? ''}账号可出价，${spanText(request.bidSeconds)}内有效，别人看不到您的价。`;
  await emit(trx, 'notice', {
    kind: 'recycle.recycler',
    userIds,
    ref: `recycle:${request.id}:open`,
    values: { what: '有新账号可收', text },
  });
}

/** Requires an area and a server, if the game has any. Throws BAD_INPUT by field. */
function missingPlace(areas: Checked['game']['areas'], { areaId, serverId }: Input): FieldError[] {
  const servers = areas.find((a) => a.id === areaId)?.servers ?? [];
  return [
    ...(areas.length > 0 && areaId === undefined ? [{ field: 'areaId', msg: '请选择大区' }] : []),
    ...(servers.length > 0 && serverId === undefined ? [{ field: 'serverId', msg: '请选择服务器' }] : []),
  ];
}

/** Requests bids on an account. Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR, BAD_INPUT by field, ACCOUNT_CLAIMED. */
export async function applyAccount(
  call: UserCall,
  input: Parsed<typeof recycleApply>,
): Promise<HandlerResult<typeof recycleApply>> {
  const { ctx, user, idem } = call;
  if (user.authStatus !== AuthStatus.Verified) throw new AppError('REAL_NAME_REQUIRED');
  await requireAdult(ctx.db, user.id);
  const found = await checked(call, input);
  const unfilled = found.fields.filter((field) => field.required && found.account.attrs[field.key] === undefined);
  requireValid([
    ...missingPlace(found.game.areas, input),
    ...unfilled.map(({ key, label }) => ({ field: `details.${key}`, msg: `请填写${label}` })),
  ]);
  const made = await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, idem, async () => {
      const row = await insertRequest(trx, call, input, found);
      await notifyRecyclers(trx, found.all, input.gameId, {
        id: row.id,
        sn: row.sn,
        userId: user.id,
        bidSeconds: ctx.dir.setting('recycling').bidSeconds,
      });
      return { requestSn: row.sn, dueTime: row.dueAt.toISOString() };
    }),
  );
  return { requestSn: made.requestSn, dueTime: new Date(made.dueTime) };
}
