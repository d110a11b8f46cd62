import { GOODS_PRIVATE_OR_REMOVED, BARGAINS_OPEN } from '#server/states/state-lists.ts';
import { GoodsStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { bargaining } from '#subjects/offers/contract/offers.ts';
import {
  type BargainAction,
  type BargainParty,
  BARGAIN_HOURS,
  bargainActions,
  bargainNext,
  BargainStatus,
  bargainStatusName,
} from '../rules/bargain.ts';
import { maskContacts, visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { oneLineText } from '#subjects/goods/rules/listing-states.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { sharedHit } from '#server/access/limits.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#subjects/games/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { type BargainRow, loadBargain } from './bargain-rows.ts';
import { loadFloor, triesUsed } from './bargain-limits.ts';
import { floorFen, eventText } from './rules.ts';

const DAY_SECONDS = 86_400;
const HOURS = sql.raw(`interval '${BARGAIN_HOURS} hours'`);

/** The result of a transition, as stored under its idempotency key. */
interface BargainTransition {
  bargainId: number;
  status: number;
  expireTime: string;
}

type BargainResponse = HandlerResult<typeof bargaining>;

const responseOf = (party: BargainParty, transition: BargainTransition): BargainResponse => ({
  bargainId: transition.bargainId,
  status: transition.status,
  statusName: bargainStatusName(party, transition.status),
  acts: [...bargainActions(party, transition.status)],
  expireTime: new Date(transition.expireTime),
});

/** The current price of a bargain: the counter-offer if there is one, else the offer. */
export const tableFen = (row: Pick<BargainRow, 'offerFen' | 'counterFen'>): number => row.counterFen ?? row.offerFen;

/** The page of each party's bargains. */
const LINKS: Readonly<Record<BargainParty, string>> = {
  buyer: '/center/buyBargainGoods',
  seller: '/center/sellBargainGoods',
};

/** Notifies a party of an offer's new state, by an outbox event in the same transaction. */
export async function notifyParty(trx: Trx, row: BargainRow, status: number, to: BargainParty): Promise<void> {
  const text = eventText(to, status, { price: yuanLabel(tableFen(row)), why: row.why });
  if (text === null) return;
  const payload = {
    userId: to === 'buyer' ? row.buyerId : row.sellerId,
    distId: row.distId,
    bargainId: row.id,
    status,
    goodsSn: row.goodsSn,
    ref: `${row.id}:${status}`,
    title: visibleTitle(row.title),
    text,
    link: LINKS[to],
  };
  await emit(trx, 'bargain.changed', payload);
}

/** Schedules the timer in SQL: a Date has no microseconds, and a timer that runs too early would do nothing. */
async function setTimer(trx: Trx, id: number): Promise<void> {
  await schedule(trx, 'bargain.expire', id, sql`(select expires_at from bargain where id = ${id})`);
}

interface OfferedGoods {
  id: number;
  gameId: number;
  sellerId: number;
  priceFen: number;
  status: number;
  version: number;
  bargainOk: boolean;
}

/** The listing of an offer, if offers are possible. Throws GOODS_*, BARGAIN_CLOSED. */
async function offerable(call: UserCall, trx: Trx, input: Parsed<typeof bargaining>): Promise<OfferedGoods> {
  const { rows } = await sql<OfferedGoods>`
    select id, game_id as "gameId", seller_id as "sellerId", price_fen as "priceFen", status, version, bargain_ok as "bargainOk"
    from goods where sn = ${input.goodsSn.toUpperCase()} and status not in ${GOODS_PRIVATE_OR_REMOVED} for share`.execute(
    trx,
  );
  const goods = rows[0];
  if (!goods || !showsGame(call.dist, goods.gameId)) throw new AppError('GOODS_NOT_FOUND');
  if (goods.sellerId === call.user.id) throw new AppError('GOODS_OWN', { text: '不能给自己的商品出价' });
  if (goods.status !== GoodsStatus.OnSale) throw new AppError('GOODS_NOT_ON_SALE');
  if (!goods.bargainOk) throw new AppError('BARGAIN_CLOSED');
  if (input.goodsVersion !== undefined && input.goodsVersion !== goods.version) throw new AppError('GOODS_CHANGED');
  return goods;
}

async function checkOffer(call: UserCall, trx: Trx, goods: OfferedGoods, offerFen: number): Promise<void> {
  if (offerFen >= goods.priceFen)
    throw new AppError('BAD_INPUT', { text: '出价应低于商品价，想原价购买请直接下单', field: 'price' });
  const floor = floorFen(goods.priceFen, await loadFloor(call.ctx, trx, goods.sellerId));
  if (offerFen < floor)
    throw new AppError('BAD_INPUT', { text: `卖家不看低于 ${yuanLabel(floor)} 元的出价，请提高一些`, field: 'price' });
  const { tries } = call.ctx.dir.setting('bargain');
  if ((await triesUsed(call.ctx, trx, call.user.id, goods.id)) >= tries) throw new AppError('BARGAIN_TRIES');
}

/**
 * Makes an offer on a listing: one open offer per buyer and listing, by a verified adult, not below the seller's floor, a limited number
 * of times. The seller has 24 h to respond. Throws REAL_NAME_*, GOODS_*, BARGAIN_CLOSED, BARGAIN_OPEN, BARGAIN_TRIES, BAD_INPUT,
 * RATE_LIMITED.
 */
export async function offer(call: UserCall, input: Parsed<typeof bargaining>): Promise<BargainResponse> {
  const { ctx, user, dist } = call;
  const transition = await orEarlier<BargainTransition>(ctx.db, call.idem, async () => {
    if (user.authStatus !== AuthStatus.Verified)
      throw new AppError('REAL_NAME_REQUIRED', { text: '出价前请先完成实名认证' });
    await requireAdult(ctx.db, user.id);
    const { perDay } = ctx.dir.setting('bargain');
    if (!(await sharedHit(ctx.db, `bargain:${user.id}`, perDay, DAY_SECONDS)))
      throw new AppError('RATE_LIMITED', { text: '今日出价次数已达上限，请明天再试', retryAfterSeconds: DAY_SECONDS });
    return await inTransaction(ctx.db, async (trx) =>
      idempotent<BargainTransition>(trx, call.idem, async () => {
        const goods = await offerable(call, trx, input);
        await checkOffer(call, trx, goods, input.price);
        const message = maskContacts(oneLineText(input.message ?? '')).text;
        const { rows } = await sql<{ id: number; expires: Date }>`
        insert into bargain (goods_id, buyer_id, seller_id, dist_id, offer_fen, price_fen, goods_version, message, expires_at)
        values (${goods.id}, ${user.id}, ${goods.sellerId}, ${dist.id}, ${input.price}, ${goods.priceFen}, ${goods.version}, ${message}, now() + ${HOURS})
        on conflict (goods_id, buyer_id) where status in ${BARGAINS_OPEN} do nothing returning id, expires_at as expires`.execute(
          trx,
        );
        const created = rows[0];
        if (!created) throw new AppError('BARGAIN_OPEN');
        await setTimer(trx, created.id);
        const row = await loadBargain(trx, created.id, sql`true`);
        if (row) await notifyParty(trx, row, BargainStatus.Pending, 'seller');
        return { bargainId: created.id, status: BargainStatus.Pending, expireTime: created.expires.toISOString() };
      }),
    );
  });
  return responseOf('buyer', transition);
}

/** Actions that set a price, which must still be below the listing's price. */
const NEEDS_GOODS: readonly BargainAction[] = ['agree', 'counter'];

/** The error for an action whose conditional update changed nothing. */
function conflictError(row: BargainRow, action: BargainAction, fen: number): AppError {
  if (row.status === BargainStatus.Expired) return new AppError('BARGAIN_STATE', { text: '议价已过期' });
  if (!NEEDS_GOODS.includes(action)) return new AppError('BARGAIN_STATE');
  if (row.goodsStatus !== GoodsStatus.OnSale) return new AppError('GOODS_NOT_ON_SALE');
  if (row.priceFen <= fen)
    return new AppError('GOODS_CHANGED', { text: '标价已改为不高于这个价，买家可直接按标价购买' });
  return new AppError('BARGAIN_STATE');
}

/** An action with its parameters. */
interface Step {
  action: BargainAction;
  /** The seller's price, of a counter-offer. */
  counterFen?: number;
}

const PARTY: Readonly<Record<BargainParty, (userId: number) => RawBuilder<unknown>>> = {
  buyer: (id) => sql`b.buyer_id = ${id}`,
  seller: (id) => sql`b.seller_id = ${id}`,
};

function checkCounter(row: BargainRow, counterFen: number): void {
  if (counterFen <= row.offerFen)
    throw new AppError('BAD_INPUT', { text: '还价应高于买家的出价，愿意接受请直接同意', field: 'price' });
  if (counterFen >= row.priceFen) throw new AppError('BAD_INPUT', { text: '还价应低于商品标价', field: 'price' });
}

/**
 * Applies a party's action to an offer (subjects/offers/rules/bargain.ts) by one conditional UPDATE, so that of two concurrent actions one
 * succeeds. Agreeing and countering require a listing on sale with a higher price. A repeated action returns the same result. Throws
 * BARGAIN_NOT_FOUND (also for another user's), BARGAIN_STATE, GOODS_NOT_ON_SALE, GOODS_CHANGED, BAD_INPUT.
 */
export async function applyBargainAction(
  call: UserCall,
  party: BargainParty,
  id: number,
  step: Step,
): Promise<BargainResponse> {
  const { ctx, user } = call;
  const transition = await inTransaction(ctx.db, async (trx) =>
    idempotent<BargainTransition>(trx, call.idem, async () => {
      const row = await loadBargain(trx, id, PARTY[party](user.id));
      if (!row) throw new AppError('BARGAIN_NOT_FOUND');
      const from = [BargainStatus.Pending, BargainStatus.Countered].find(
        (status) => bargainNext(party, status, step.action) !== null,
      );
      const next = from === undefined ? null : bargainNext(party, from, step.action);
      if (from === undefined || next === null) throw new AppError('BARGAIN_STATE');
      const same = row.status === next && (step.counterFen === undefined || step.counterFen === row.counterFen);
      if (same) return { bargainId: id, status: next, expireTime: row.expiresAt.toISOString() };
      if (row.status !== from) throw conflictError(row, 'refuse', 0);
      if (step.counterFen !== undefined) checkCounter(row, step.counterFen);
      return await move(trx, row, { party, from, next, ...step });
    }),
  );
  return responseOf(party, transition);
}

async function move(
  trx: Trx,
  row: BargainRow,
  step: Step & { party: BargainParty; from: number; next: number },
): Promise<BargainTransition> {
  const { next, action, party } = step;
  const fen = step.counterFen ?? tableFen(row);
  const goods = NEEDS_GOODS.includes(action)
    ? sql`and exists (select from goods g where g.id = b.goods_id and g.status = ${GoodsStatus.OnSale} and g.price_fen > ${fen})`
    : sql``;
  // The party who has to act next gets a full day.
  const { rows } = await sql<{ expires: Date }>`
    update bargain b set status = ${next}, counter_fen = coalesce(${step.counterFen ?? null}::bigint, b.counter_fen), updated_at = now(),
      expires_at = case when ${NEEDS_GOODS.includes(action)} then now() + ${HOURS} else b.expires_at end
    where b.id = ${row.id} and b.status = ${step.from} and b.expires_at > now() ${goods} returning b.expires_at as expires`.execute(
    trx,
  );
  const updated = rows[0];
  if (!updated) {
    const now = await loadBargain(trx, row.id, sql`true`);
    throw now ? conflictError(now, action, fen) : new AppError('BARGAIN_NOT_FOUND');
  }
  if (NEEDS_GOODS.includes(action)) await setTimer(trx, row.id);
  else await cancel(trx, 'bargain.expire', row.id);
  await notifyParty(
    trx,
    { ...row, counterFen: step.counterFen ?? row.counterFen },
    next,
    party === 'buyer' ? 'seller' : 'buyer',
  );
  return { bargainId: row.id, status: next, expireTime: updated.expires.toISOString() };
}
