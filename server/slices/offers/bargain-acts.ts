import { GoodsStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { bargaining } from '#contract/goods-offers.ts';
import {
  type BargainAction,
  type BargainParty,
  BARGAIN_HOURS,
  bargainActions,
  bargainNext,
  BargainStatus,
  bargainStatusName,
} from '#contract/rules/bargain.ts';
import { maskContacts, visibleTitle } from '#contract/rules/contacts.ts';
import { oneLineText } from '#contract/rules/offer.ts';
import { yuanText } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { sharedHit } from '#server/access/limits.ts';
import { AppError } from '#server/kernel/errors.ts';
import { showsGame } from '#server/slices/games/service.ts';
import { requireAdult } from '#server/slices/verification/service.ts';
import { type BargainRow, bargainOf } from './bargain-rows.ts';
import { floorOf, triesUsed } from './bargain-limits.ts';
import { type BargainSetting, floorFen, toldOf } from './rules.ts';

const DAY_SECONDS = 86_400;
const HOURS = sql.raw(`interval '${BARGAIN_HOURS} hours'`);

/** Facts of an answered step, as an idempotency key keeps them. */
interface BargainTransition {
  bargainId: number;
  status: number;
  expireTime: string;
}

type Answered = HandlerResult<typeof bargaining>;

const answerOf = (side: BargainParty, facts: BargainTransition): Answered => ({
  bargainId: facts.bargainId,
  status: facts.status,
  statusName: bargainStatusName(facts.status),
  acts: [...bargainActions(side, facts.status)],
  expireTime: new Date(facts.expireTime),
});

/** The price that is on the table: the counter-offer once there is one. */
export const tableFen = (row: Pick<BargainRow, 'offerFen' | 'counterFen'>): number => row.counterFen ?? row.offerFen;

/** Pages on which each side finds its offers. */
const LINKS: Readonly<Record<BargainParty, string>> = {
  buyer: '/center/buyBargainGoods',
  seller: '/center/sellBargainGoods',
};

/** Tells a side of the state that an offer has come into, by an event that leaves with the transaction. */
export async function tell(trx: Trx, row: BargainRow, status: number, to: BargainParty): Promise<void> {
  const text = toldOf(to, status, { price: yuanText(tableFen(row)), why: row.why });
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
  await sql`insert into outbox (topic, payload) values ('bargain.changed', ${JSON.stringify(payload)}::jsonb)`.execute(
    trx,
  );
}

/** At its very end: a Date knows no microseconds, and a timer before its time would find nothing to do. */
async function setTimer(trx: Trx, id: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) select 'bargain.expire', id::text, expires_at from bargain where id = ${id}
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(trx);
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

/** The goods of an offer, if one can be made on them. Throws GOODS_*, BARGAIN_CLOSED. */
async function offerable(call: UserCall, trx: Trx, input: Parsed<typeof bargaining>): Promise<OfferedGoods> {
  const { rows } = await sql<OfferedGoods>`
    select id, game_id as "gameId", seller_id as "sellerId", price_fen as "priceFen", status, version, bargain_ok as "bargainOk"
    from goods where sn = ${input.goodsSn.toUpperCase()} and status not in (0, 1, 6, 8) for share`.execute(trx);
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
  const floor = floorFen(goods.priceFen, await floorOf(call.ctx, trx, goods.sellerId));
  if (offerFen < floor)
    throw new AppError('BAD_INPUT', { text: `卖家不看低于 ${yuanText(floor)} 元的出价，请提高一些`, field: 'price' });
  const { tries } = call.ctx.dir.setting<BargainSetting>('bargain');
  if ((await triesUsed(call.ctx, trx, call.user.id, goods.id)) >= tries) throw new AppError('BARGAIN_TRIES');
}

/**
 * Makes an offer on goods: one open at a time for each buyer and goods, of a verified adult, not below the seller's floor, a few tries.
 * The seller has 24 h. Throws REAL_NAME_*, GOODS_*, BARGAIN_CLOSED, BARGAIN_OPEN, BARGAIN_TRIES, BAD_INPUT, RATE_LIMITED.
 */
export async function offer(call: UserCall, input: Parsed<typeof bargaining>): Promise<Answered> {
  const { ctx, user, dist } = call;
  const facts = await orEarlier<BargainTransition>(ctx.db, call.idem, async () => {
    if (user.authStatus !== AuthStatus.Verified)
      throw new AppError('REAL_NAME_REQUIRED', { text: '出价前请先完成实名认证' });
    await requireAdult(ctx.db, user.id);
    const { perDay } = ctx.dir.setting<BargainSetting>('bargain');
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
        on conflict (goods_id, buyer_id) where status in (0, 1, 2, 3) do nothing returning id, expires_at as expires`.execute(
          trx,
        );
        const made = rows[0];
        if (!made) throw new AppError('BARGAIN_OPEN');
        await setTimer(trx, made.id);
        const row = await bargainOf(trx, made.id, sql`true`);
        if (row) await tell(trx, row, BargainStatus.Pending, 'seller');
        return { bargainId: made.id, status: BargainStatus.Pending, expireTime: made.expires.toISOString() };
      }),
    );
  });
  return answerOf('buyer', facts);
}

/** Acts after which a price is on the table that the goods must still be worth. */
const NEEDS_GOODS: readonly BargainAction[] = ['agree', 'counter'];

/** Why a step did not find its offer as it expected it. */
function lost(row: BargainRow, act: BargainAction, fen: number): AppError {
  if (row.status === BargainStatus.Expired) return new AppError('BARGAIN_STATE', { text: '议价已过期' });
  if (!NEEDS_GOODS.includes(act)) return new AppError('BARGAIN_STATE');
  if (row.goodsStatus !== GoodsStatus.OnSale) return new AppError('GOODS_NOT_ON_SALE');
  if (row.priceFen <= fen)
    return new AppError('GOODS_CHANGED', { text: '标价已改为不高于这个价，买家可直接按标价购买' });
  return new AppError('BARGAIN_STATE');
}

/** What a step sets besides the state. */
interface Step {
  act: BargainAction;
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
 * Takes a side's step with an offer (contract/rules/bargain.ts): one conditional UPDATE, so of two at once one is done. Agreeing and
 * countering need goods that are on sale and cost more. The same step again is answered as done. Throws BARGAIN_NOT_FOUND (also for
 * another's), BARGAIN_STATE, GOODS_NOT_ON_SALE, GOODS_CHANGED, BAD_INPUT.
 */
export async function answerOffer(call: UserCall, side: BargainParty, id: number, step: Step): Promise<Answered> {
  const { ctx, user } = call;
  const facts = await inTransaction(ctx.db, async (trx) =>
    idempotent<BargainTransition>(trx, call.idem, async () => {
      const row = await bargainOf(trx, id, PARTY[side](user.id));
      if (!row) throw new AppError('BARGAIN_NOT_FOUND');
      const from = [BargainStatus.Pending, BargainStatus.Countered].find(
        (status) => bargainNext(side, status, step.act) !== null,
      );
      const next = from === undefined ? null : bargainNext(side, from, step.act);
      if (from === undefined || next === null) throw new AppError('BARGAIN_STATE');
      const same = row.status === next && (step.counterFen === undefined || step.counterFen === row.counterFen);
      if (same) return { bargainId: id, status: next, expireTime: row.expiresAt.toISOString() };
      if (row.status !== from) throw lost(row, 'refuse', 0);
      if (step.counterFen !== undefined) checkCounter(row, step.counterFen);
      return await move(trx, row, { side, from, next, ...step });
    }),
  );
  return answerOf(side, facts);
}

async function move(
  trx: Trx,
  row: BargainRow,
  step: Step & { side: BargainParty; from: number; next: number },
): Promise<BargainTransition> {
  const { next, act, side } = step;
  const fen = step.counterFen ?? tableFen(row);
  const goods = NEEDS_GOODS.includes(act)
    ? sql`and exists (select from goods g where g.id = b.goods_id and g.status = ${GoodsStatus.OnSale} and g.price_fen > ${fen})`
    : sql``;
  // Who has still something to do gets a day for it from now on.
  const { rows } = await sql<{ expires: Date }>`
    update bargain b set status = ${next}, counter_fen = coalesce(${step.counterFen ?? null}::bigint, b.counter_fen), updated_at = now(),
      expires_at = case when ${NEEDS_GOODS.includes(act)} then now() + ${HOURS} else b.expires_at end
    where b.id = ${row.id} and b.status = ${step.from} and b.expires_at > now() ${goods} returning b.expires_at as expires`.execute(
    trx,
  );
  const moved = rows[0];
  if (!moved) {
    const now = await bargainOf(trx, row.id, sql`true`);
    throw now ? lost(now, act, fen) : new AppError('BARGAIN_NOT_FOUND');
  }
  if (NEEDS_GOODS.includes(act)) await setTimer(trx, row.id);
  else await sql`delete from timer where kind = 'bargain.expire' and ref = ${String(row.id)}`.execute(trx);
  await tell(
    trx,
    { ...row, counterFen: step.counterFen ?? row.counterFen },
    next,
    side === 'buyer' ? 'seller' : 'buyer',
  );
  return { bargainId: row.id, status: next, expireTime: moved.expires.toISOString() };
}
