import { AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { getGoodsList } from '#subjects/goods/contract/goods.ts';
import type { releaseWantGoods, updateWantGoodsStatus } from '#subjects/offers/contract/offers.ts';
import { oneLineText } from '#subjects/goods/rules/listing-states.ts';
import { WantStatus, wantStatusName } from '../rules/want.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { sharedHit } from '#server/access/limits.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { matchingGoods, watchFilter, type WatchFilter } from '#subjects/goods/server/service.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';

const MAX_OPEN = 20;
const PER_DAY = 40;
const DAY_SECONDS = 86_400;
const SN_LENGTH = 10;
/** Existing listings stored as first matches. */
const FIRST_MATCHES = 50;

type WantInput = Parsed<typeof releaseWantGoods>;

/** The search of a want. */
export interface WantSearch {
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  budgetFen: number;
  details: Readonly<Record<string, unknown>>;
}

/** A want as the input of a list call, to compile its filters and find its first matches. */
export function listInputOf(w: WantSearch): Parsed<typeof getGoodsList> {
  return {
    gameId: w.gameId,
    goodsTypeId: w.typeId,
    areaId: w.areaId ?? undefined,
    serverId: w.serverId ?? undefined,
    maxPrice: w.budgetFen as Parsed<typeof getGoodsList>['maxPrice'],
    details: { ...w.details },
  };
}

const searchOf = (input: WantInput): WantSearch => ({
  gameId: input.gameId,
  typeId: input.goodsTypeId,
  areaId: input.areaId || null,
  serverId: input.serverId || null,
  budgetFen: input.budget,
  details: input.details,
});

/** Validates game, type and region. Throws NOT_FOUND, GOODS_TYPE_UNSUPPORTED, BAD_INPUT. */
async function checkRegion({ ctx, dist }: UserCall, search: WantSearch): Promise<void> {
  const all = await catalogue(ctx);
  const game = all.game(search.gameId);
  if (!game || !showsGame(dist, game.id)) throw errorOf('NOT_FOUND', 'gameOfRequest');
  if (!game.goodsTypes.some((t) => t.id === search.typeId)) throw new AppError('GOODS_TYPE_UNSUPPORTED');
  if (search.areaId !== null && all.area(search.areaId)?.gameId !== game.id)
    throw new AppError('BAD_INPUT', { text: '大区不属于该游戏，请重新选择', field: 'areaId' });
  if (search.serverId !== null && all.server(search.serverId)?.areaId !== search.areaId)
    throw new AppError('BAD_INPUT', { text: '服务器不属于该大区，请重新选择', field: 'serverId' });
}

async function insertWant(trx: Trx, call: UserCall, input: WantInput, search: WantSearch, filter: WatchFilter) {
  // The lock on the user's row keeps the number of open wants within the limit.
  await sql`select 1 from app_user where id = ${call.user.id} for update`.execute(trx);
  const open = await sql<{ n: number }>`
    select count(*)::int as n from want where user_id = ${call.user.id} and status = ${WantStatus.Open}`.execute(trx);
  if ((open.rows[0]?.n ?? 0) >= MAX_OPEN) throw new AppError('WANT_COUNT');
  const deposit = input.deposit ?? 0;
  const { rows } = await sql<{ id: number; sn: string }>`
    insert into want (sn, user_id, dist_id, game_id, type_id, area_id, server_id, title, filter, budget_fen, deposit_fen, words, ranges, at_least, push)
    values (${`Q${readableCode(SN_LENGTH)}`}, ${call.user.id}, ${call.dist.id}, ${search.gameId}, ${search.typeId}, ${search.areaId}, ${search.serverId},
      ${titleOf(call, input)}, ${JSON.stringify(search.details)}::jsonb, ${search.budgetFen}, ${deposit}, ${filter.tsquery}::tsquery,
      ${JSON.stringify(filter.ranges)}::jsonb, ${JSON.stringify(filter.atLeast)}::jsonb, ${input.alert}) returning id, sn`.execute(
    trx,
  );
  const created = rows[0];
  if (!created) throw new Error('the want was not stored');
  if (deposit > 0) {
    const [debit, credit] = [account.available(call.user.id), account.wantDeposit(created.id)];
    const ref = `want:${created.id}`;
    await post(trx, [{ code: 'want_deposit_in', ref, debit, credit, fen: deposit, dist: call.dist.id }]);
  }
  return created;
}

const titleOf = ({ ctx }: UserCall, input: WantInput): string =>
  publishable(ctx.blockedWords, '标题', oneLineText(input.bigTitle), 'bigTitle');

/** Changes an open want of the caller; its deposit is unchanged. */
async function updateWant(trx: Trx, call: UserCall, input: WantInput, search: WantSearch, filter: WatchFilter) {
  const { rows } = await sql<{ id: number; sn: string }>`
    update want set game_id = ${search.gameId}, type_id = ${search.typeId}, area_id = ${search.areaId}, server_id = ${search.serverId},
      title = ${titleOf(call, input)}, filter = ${JSON.stringify(search.details)}::jsonb, budget_fen = ${search.budgetFen}, words = ${filter.tsquery}::tsquery,
      ranges = ${JSON.stringify(filter.ranges)}::jsonb, at_least = ${JSON.stringify(filter.atLeast)}::jsonb, push = ${input.alert}, updated_at = now()
    where sn = ${input.wantSn ?? ''} and user_id = ${call.user.id} and status = ${WantStatus.Open} returning id, sn`.execute(
    trx,
  );
  const changed = rows[0];
  if (!changed) throw await missingWantError(trx, call.user.id, input.wantSn ?? '');
  await sql`delete from want_match where want_id = ${changed.id}`.execute(trx);
  return changed;
}

async function missingWantError(trx: Trx, userId: number, sn: string): Promise<AppError> {
  const { rows } = await sql`select 1 from want where sn = ${sn} and user_id = ${userId}`.execute(trx);
  return new AppError(rows.length > 0 ? 'WANT_STATE' : 'WANT_NOT_FOUND');
}

interface Released {
  wantSn: string;
  matches: number;
}

/**
 * Creates a want, or changes an open one of the caller: filters, an all-in budget, and an optional deposit that is returned when it ends.
 * Existing listings are matched immediately. Throws REAL_NAME_*, NOT_FOUND, GOODS_TYPE_UNSUPPORTED, BAD_INPUT, WANT_*, BALANCE_LOW,
 * PAY_PASSWORD_*, RATE_LIMITED.
 */
export async function releaseWant(call: UserCall, input: WantInput): Promise<HandlerResult<typeof releaseWantGoods>> {
  const { ctx, user, dist } = call;
  const released = await orEarlier<Released>(ctx.db, call.idem, async () => {
    if (user.authStatus !== AuthStatus.Verified)
      throw new AppError('REAL_NAME_REQUIRED', { text: '发布求购前请先完成实名认证' });
    await requireAdult(ctx.db, user.id);
    const search = searchOf(input);
    await checkRegion(call, search);
    const listInput = listInputOf(search);
    const filter = await watchFilter(ctx, dist, listInput);
    if (!input.wantSn && (input.deposit ?? 0) > 0) await requireStepUp(call, 'pay', { payPassword: input.payPassword });
    if (!(await sharedHit(ctx.db, `want:${user.id}`, PER_DAY, DAY_SECONDS)))
      throw new AppError('RATE_LIMITED', { text: '今日发布次数已达上限，请明天再试', retryAfterSeconds: DAY_SECONDS });
    const { ids } = await matchingGoods(ctx, dist, listInput, FIRST_MATCHES);
    return await inTransaction(ctx.db, (trx) =>
      idempotent<Released>(trx, call.idem, async () => {
        const store = input.wantSn ? updateWant : insertWant;
        const { id, sn } = await store(trx, call, input, search, filter);
        // Stored without notices: the buyer sees them immediately, and they do not use up the daily limit.
        const { numAffectedRows } = await sql`insert into want_match (want_id, goods_id, price_fen)
        select ${id}, s.goods_id, s.price_fen from goods_search s
        where s.goods_id = any(${ids}::bigint[]) and s.seller_id <> ${user.id} on conflict do nothing`.execute(trx);
        // Same condition as the stored count: matches except the caller's own listings.
        return { wantSn: sn, matches: Number(numAffectedRows ?? 0) };
      }),
    );
  });
  return { ...released, status: WantStatus.Open, statusName: wantStatusName(WantStatus.Open) };
}

/** Returns the whole deposit of a want. Call it in the transaction that ends the want. */
export async function returnDeposit(
  trx: Trx,
  want: { id: number; userId: number; distId: number; depositFen: number },
): Promise<void> {
  if (want.depositFen === 0) return;
  const [debit, credit] = [account.wantDeposit(want.id), account.available(want.userId)];
  const ref = `want:${want.id}`;
  await post(trx, [{ code: 'want_deposit_out', ref, debit, credit, fen: want.depositFen, dist: want.distId }]);
  await sql`update want set deposit_fen = 0 where id = ${want.id}`.execute(trx);
}

/**
 * Closes a want of the caller and returns its deposit, or reopens a closed one without a deposit. Idempotent; a fulfilled want cannot be
 * changed. Throws WANT_NOT_FOUND, WANT_STATE, WANT_COUNT.
 */
export async function setWantStatus(
  call: UserCall,
  { wantSn, status }: Parsed<typeof updateWantGoodsStatus>,
): Promise<HandlerResult<typeof updateWantGoodsStatus>> {
  const { ctx, user } = call;
  const opens = status === WantStatus.Open;
  return await inTransaction(ctx.db, (trx) =>
    idempotent(trx, call.idem, async () => {
      await sql`select 1 from app_user where id = ${user.id} for update`.execute(trx);
      const result = await sql<{ id: number; status: number; distId: number; depositFen: number; open: number }>`
        select id, status, dist_id as "distId", deposit_fen as "depositFen",
          (select count(*)::int from want o where o.user_id = w.user_id and o.status = ${WantStatus.Open}) as open
        from want w where sn = ${wantSn} and user_id = ${user.id} for update of w`.execute(trx);
      const want = result.rows[0];
      if (!want) throw new AppError('WANT_NOT_FOUND');
      if (want.status === WantStatus.Met) throw new AppError('WANT_STATE');
      if (want.status !== status) {
        if (opens && want.open >= MAX_OPEN) throw new AppError('WANT_COUNT');
        await sql`update want set status = ${status}, updated_at = now() where id = ${want.id}`.execute(trx);
        if (!opens) await returnDeposit(trx, { ...want, userId: user.id });
      }
      return { wantSn, status, statusName: wantStatusName(status) };
    }),
  );
}
