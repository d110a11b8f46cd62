import { AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { getGoodsList } from '#contract/goods.ts';
import type { releaseWantGoods, updateWantGoodsStatus } from '#contract/goods-offers.ts';
import { oneLineText } from '#contract/rules/offer.ts';
import { WantStatus, wantStatusName } from '#contract/rules/want.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { sharedHit } from '#server/access/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { requireStepUp } from '#server/slices/accounts/service.ts';
import { catalogue, showsGame } from '#server/slices/games/service.ts';
import { goodsThatFit, watchFilter, type WatchFilter } from '#server/slices/goods/service.ts';
import { account, post } from '#server/slices/ledger/service.ts';
import { requireAdult } from '#server/slices/verification/service.ts';

const MAX_OPEN = 20;
const PER_DAY = 40;
const DAY_SECONDS = 86_400;
const SN_LENGTH = 10;
/** Goods that fit already and are put into the list of matches at once. */
const FIRST_MATCHES = 50;

type Wish = Parsed<typeof releaseWantGoods>;

/** What a want asks the list for. */
export interface WantPlace {
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  budgetFen: number;
  details: Readonly<Record<string, unknown>>;
}

/** A want as a list call, which its filters and its first matches are read from. */
export function listInputOf(w: WantPlace): Parsed<typeof getGoodsList> {
  return {
    gameId: w.gameId,
    goodsTypeId: w.typeId,
    areaId: w.areaId ?? undefined,
    serverId: w.serverId ?? undefined,
    maxPrice: w.budgetFen as Parsed<typeof getGoodsList>['maxPrice'],
    details: { ...w.details },
  };
}

const placeOf = (input: Wish): WantPlace => ({
  gameId: input.gameId,
  typeId: input.goodsTypeId,
  areaId: input.areaId || null,
  serverId: input.serverId || null,
  budgetFen: input.budget,
  details: input.details,
});

/** Refuses a place that the site does not have. Throws NOT_FOUND, GOODS_TYPE_UNSUPPORTED, BAD_INPUT. */
async function checkPlace({ ctx, dist }: UserCall, place: WantPlace): Promise<void> {
  const all = await catalogue(ctx);
  const game = all.game(place.gameId);
  if (!game || !showsGame(dist, game.id)) throw new AppError('NOT_FOUND', { text: '游戏不存在' });
  if (!game.goodsTypes.some((t) => t.id === place.typeId)) throw new AppError('GOODS_TYPE_UNSUPPORTED');
  if (place.areaId !== null && all.area(place.areaId)?.gameId !== game.id)
    throw new AppError('BAD_INPUT', { text: '大区不属于该游戏，请重新选择', field: 'areaId' });
  if (place.serverId !== null && all.server(place.serverId)?.areaId !== place.areaId)
    throw new AppError('BAD_INPUT', { text: '服务器不属于该大区，请重新选择', field: 'serverId' });
}

async function insertWant(trx: Trx, call: UserCall, input: Wish, place: WantPlace, filter: WatchFilter) {
  // The user's row is the lock under which the number of open wants holds.
  await sql`select 1 from app_user where id = ${call.user.id} for update`.execute(trx);
  const open = await sql<{ n: number }>`
    select count(*)::int as n from want where user_id = ${call.user.id} and status = ${WantStatus.Open}`.execute(trx);
  if ((open.rows[0]?.n ?? 0) >= MAX_OPEN) throw new AppError('WANT_COUNT');
  const deposit = input.deposit ?? 0;
  const { rows } = await sql<{ id: number; sn: string }>`
    insert into want (sn, user_id, dist_id, game_id, type_id, area_id, server_id, title, filter, budget_fen, deposit_fen, words, ranges, at_least, push)
    values (${`Q${readableCode(SN_LENGTH)}`}, ${call.user.id}, ${call.dist.id}, ${place.gameId}, ${place.typeId}, ${place.areaId}, ${place.serverId},
      ${titleOf(input)}, ${JSON.stringify(place.details)}::jsonb, ${place.budgetFen}, ${deposit}, ${filter.words}::tsquery,
      ${JSON.stringify(filter.ranges)}::jsonb, ${JSON.stringify(filter.atLeast)}::jsonb, ${input.alert}) returning id, sn`.execute(
    trx,
  );
  const made = rows[0];
  if (!made) throw new Error('the want was not stored');
  if (deposit > 0) {
    const [debit, credit] = [account.available(call.user.id), account.wantDeposit(made.id)];
    const ref = `want:${made.id}`;
    await post(trx, [{ code: 'want_deposit_in', ref, debit, credit, fen: deposit, dist: call.dist.id }]);
  }
  return made;
}

const titleOf = (input: Wish): string => publishable('标题', oneLineText(input.bigTitle), 'bigTitle');

/** Changes one's own open want; its deposit stays as it is. */
async function updateWant(trx: Trx, call: UserCall, input: Wish, place: WantPlace, filter: WatchFilter) {
  const { rows } = await sql<{ id: number; sn: string }>`
    update want set game_id = ${place.gameId}, type_id = ${place.typeId}, area_id = ${place.areaId}, server_id = ${place.serverId},
      title = ${titleOf(input)}, filter = ${JSON.stringify(place.details)}::jsonb, budget_fen = ${place.budgetFen}, words = ${filter.words}::tsquery,
      ranges = ${JSON.stringify(filter.ranges)}::jsonb, at_least = ${JSON.stringify(filter.atLeast)}::jsonb, push = ${input.alert}, updated_at = now()
    where sn = ${input.wantSn ?? ''} and user_id = ${call.user.id} and status = ${WantStatus.Open} returning id, sn`.execute(
    trx,
  );
  const changed = rows[0];
  if (!changed) throw await whyNot(trx, call.user.id, input.wantSn ?? '');
  await sql`delete from want_match where want_id = ${changed.id}`.execute(trx);
  return changed;
}

async function whyNot(trx: Trx, userId: number, sn: string): Promise<AppError> {
  const { rows } = await sql`select 1 from want where sn = ${sn} and user_id = ${userId}`.execute(trx);
  return new AppError(rows.length > 0 ? 'WANT_STATE' : 'WANT_NOT_FOUND');
}

interface Released {
  wantSn: string;
  matches: number;
}

/**
 * Posts a want, or changes one's own open one: a filter, a budget (all-in), an optional deposit that comes back when it ends. What fits
 * already is in its list of matches at once. Throws REAL_NAME_*, NOT_FOUND, GOODS_TYPE_UNSUPPORTED, BAD_INPUT, WANT_*, BALANCE_LOW,
 * PAY_PASSWORD_*, RATE_LIMITED.
 */
export async function releaseWant(call: UserCall, input: Wish): Promise<HandlerResult<typeof releaseWantGoods>> {
  const { ctx, user, dist } = call;
  const released = await orEarlier<Released>(ctx.db, call.idem, async () => {
    if (user.authStatus !== AuthStatus.Verified)
      throw new AppError('REAL_NAME_REQUIRED', { text: '发布求购前请先完成实名认证' });
    await requireAdult(ctx.db, user.id);
    const place = placeOf(input);
    await checkPlace(call, place);
    const asked = listInputOf(place);
    const filter = await watchFilter(ctx, dist, asked);
    if (!input.wantSn && (input.deposit ?? 0) > 0) await requireStepUp(call, 'pay', { payPassword: input.payPassword });
    if (!(await sharedHit(ctx.db, `want:${user.id}`, PER_DAY, DAY_SECONDS)))
      throw new AppError('RATE_LIMITED', { text: '今日发布次数已达上限，请明天再试', retryAfterSeconds: DAY_SECONDS });
    const { ids, total } = await goodsThatFit(ctx, dist, asked, FIRST_MATCHES);
    return await inTransaction(ctx.db, (trx) =>
      idempotent<Released>(trx, call.idem, async () => {
        const store = input.wantSn ? updateWant : insertWant;
        const { id, sn } = await store(trx, call, input, place, filter);
        // Not told of: the buyer sees them at once, and they take nothing from what may be told in a day.
        await sql`insert into want_match (want_id, goods_id, price_fen)
        select ${id}, s.goods_id, s.price_fen from goods_search s
        where s.goods_id = any(${ids}::bigint[]) and s.seller_id <> ${user.id} on conflict do nothing`.execute(trx);
        return { wantSn: sn, matches: total };
      }),
    );
  });
  return { ...released, status: WantStatus.Open, statusName: wantStatusName(WantStatus.Open) };
}

/** Gives the deposit of a want back, whole. Call it in the transaction that ends the want. */
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
 * Closes one's own want (its deposit comes back) or opens a closed one again, without a deposit. Asking twice answers the same; what was
 * met stays so. Throws WANT_NOT_FOUND, WANT_STATE, WANT_COUNT.
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
      const found = await sql<{ id: number; status: number; distId: number; depositFen: number; open: number }>`
        select id, status, dist_id as "distId", deposit_fen as "depositFen",
          (select count(*)::int from want o where o.user_id = w.user_id and o.status = ${WantStatus.Open}) as open
        from want w where sn = ${wantSn} and user_id = ${user.id} for update of w`.execute(trx);
      const want = found.rows[0];
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
