import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/services/contract/boosting.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { AuthStatus } from '#contract/rules/statuses.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { account, post } from '#subjects/ledger/server/service.ts';
import { unlistedPrice, type Price } from '#subjects/orders/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { serviceKinds } from '../packages.ts';
import { lockedRequest, type RequestRow, titleOf } from './rows.ts';

type Form = Parsed<typeof c.boostPost>;
const SN_LENGTH = 10;
/** The number of open orders that a buyer may have waiting for a booster at a time. */
const MAX_OPEN_REQUESTS = 5;

const invalid = (field: string, text: string): never => {
  throw new AppError('BAD_INPUT', { text, field });
};

/** The form as it is stored, without contact data. Throws BAD_INPUT, GOODS_TYPE_UNSUPPORTED. */
async function checked(call: UserCall, input: Form) {
  const { blockedWords: words } = call.ctx;
  const game = (await catalogue(call.ctx)).game(input.gameId);
  if (!game || !showsGame(call.dist, input.gameId)) return invalid('gameId', '游戏不存在或未开放');
  if (!game.goodsTypes.some(({ id }) => id === BOOSTING)) throw new AppError('GOODS_TYPE_UNSUPPORTED');
  const kinds = serviceKinds(game, BOOSTING);
  if (kinds.length > 0 && !kinds.some(({ value }) => value === input.kind)) invalid('kind', '请选择服务项目');
  if (input.scopeKind === 'rank') {
    if (!input.fromRank) invalid('fromRank', '请填写现在的段位');
    if (!input.toRank) invalid('toRank', '请填写目标段位');
    if (input.fromRank === input.toRank) invalid('toRank', '目标应与现在的段位不同');
  }
  if (input.safetyDeposit > input.price) invalid('safetyDeposit', '不能超过出价');
  if (input.efficiencyDeposit > input.price) invalid('efficiencyDeposit', '不能超过出价');
  return {
    game,
    fromRank: publishable(words, '现在的段位', input.fromRank ?? '', 'fromRank'),
    toRank: publishable(words, '目标', input.toRank ?? '', 'toRank'),
    area: publishable(words, '区服', input.area, 'area'),
    note: publishable(words, '要求', input.note ?? '', 'note'),
    milestones: input.milestones.map((m) => ({
      title: publishable(words, '分段', m.title, 'milestones'),
      shareBp: Math.round(m.sharePercent * 100),
    })),
  };
}

type Checked = Awaited<ReturnType<typeof checked>>;

async function store(trx: Trx, call: UserCall, input: Form, form: Checked, price: Price): Promise<RequestRow> {
  const sn = `BR${readableCode(SN_LENGTH)}`;
  const { rows } = await sql<{ id: number }>`
    insert into boost_request (sn, dist_id, buyer_id, game_id, kind, scope_kind, from_rank, to_rank, num, area, note, mode, minutes, milestones, goods_fen,
      total_fen, safety_fen, efficiency_fen, price, expires_at)
    values (${sn}, ${call.dist.id}, ${call.user.id}, ${input.gameId}, ${input.kind ?? null}, ${input.scopeKind}, ${form.fromRank}, ${form.toRank},
      ${input.scopeKind === 'rank' ? 1 : input.num}, ${form.area}, ${form.note}, ${input.mode}, ${input.hours * 60}, ${JSON.stringify(form.milestones)}::jsonb,
      ${price.goodsFen}, ${price.totalFen}, ${input.safetyDeposit}, ${input.efficiencyDeposit}, ${JSON.stringify(price)}::jsonb,
      now() + make_interval(hours => ${input.openHours})) returning id`.execute(trx);
  const row = await lockedRequest(trx, { id: rows[0]?.id ?? 0 });
  if (!row) throw new Error('an open order was not stored');
  return row;
}

/**
 * Posts an open order: price and fee go to its escrow in the same transaction, and stay the amounts of the resulting
 * order. Throws REAL_NAME_*, BAD_INPUT, PRICE_CHANGED, BALANCE_LOW, PAY_PASSWORD_*.
 */
export async function postRequest(call: UserCall, input: Form): Promise<HandlerResult<typeof c.boostPost>> {
  const { ctx, user, dist, idem } = call;
  const done = await orEarlier(ctx.db, idem, async () => {
    if (user.authStatus !== AuthStatus.Verified) throw new AppError('REAL_NAME_REQUIRED');
    await requireAdult(ctx.db, user.id);
    const form = await checked(call, input);
    const price = await priceNow(call, input.price);
    if (input.shownTotal !== undefined && input.shownTotal !== price.totalFen)
      throw new AppError('PRICE_CHANGED', {
        text: `费用刚刚调整，应付金额现在是 ${yuanLabel(price.totalFen)} 元，请核对后再提交`,
      });
    await requireStepUp(call, 'pay', { payPassword: input.payPassword });
    return await inTransaction(ctx.db, async (trx) =>
      idempotent(trx, idem, async () => {
        // Posts of one buyer are serialized, so that concurrent ones cannot exceed the limit.
        await sql`select pg_advisory_xact_lock(hashtextextended('boost_request', ${user.id}))`.execute(trx);
        const { rows } = await sql<{ n: number }>`
          select count(*)::int as n from boost_request where buyer_id = ${user.id} and status = 'open'`.execute(trx);
        if ((rows[0]?.n ?? 0) >= MAX_OPEN_REQUESTS)
          throw new AppError('RATE_LIMITED', { text: `同时最多发 ${MAX_OPEN_REQUESTS} 单，请等有人接单或撤回一单` });
        const row = await store(trx, call, input, form, price);
        const [debit, credit] = [account.available(user.id), account.boostRequest(row.id)];
        await post(trx, [
          { code: 'boost_ask', ref: `request:${row.id}`, debit, credit, fen: row.totalFen, dist: dist.id },
        ]);
        await schedule(trx, 'boost.expire', row.id, { seconds: input.openHours * 3600 });
        return { requestSn: row.sn, total: row.totalFen, expireTime: row.expiresAt.toISOString() };
      }),
    );
  });
  return { ...done, expireTime: new Date(done.expireTime) };
}

/**
 * The cost of an open order with the current fees. Its booster is not known yet, so no reward for an invitation is
 * counted.
 */
export const priceNow = async ({ ctx, dist, user }: UserCall, unitFen: number): Promise<Price> =>
  await unlistedPrice(ctx, dist, { unitFen, num: 1, buyer: { id: user.id, inviterId: user.inviterId }, sellerId: 0 });

/** Ends an open order without a booster: everything goes back to its buyer. The caller holds its lock. */
async function refundRequest(trx: Trx, r: RequestRow, status: 'withdrawn' | 'expired'): Promise<void> {
  await sql`update boost_request set status = ${status}, ended_at = now() where id = ${r.id}`.execute(trx);
  const [debit, credit] = [account.boostRequest(r.id), account.available(r.buyerId)];
  await post(trx, [{ code: 'boost_ask_back', ref: `request:${r.id}`, debit, credit, fen: r.totalFen, dist: r.distId }]);
  await cancel(trx, 'boost.expire', r.id);
}

/** Withdraws the caller's open order while it has not been claimed. Throws NOT_FOUND, ORDER_STATE. */
export async function withdrawRequest(
  call: UserCall,
  { requestSn }: Parsed<typeof c.boostWithdraw>,
): Promise<HandlerResult<typeof c.boostWithdraw>> {
  const { ctx, user, idem } = call;
  return await orEarlier(ctx.db, idem, async () =>
    inTransaction(ctx.db, async (trx) =>
      idempotent(trx, idem, async () => {
        const r = await lockedRequest(trx, { sn: requestSn });
        if (r?.buyerId !== user.id) throw errorOf('NOT_FOUND', 'boostRequest');
        if (r.status === 'taken') throw errorOf('ORDER_STATE', 'requestJustTaken');
        if (r.status !== 'open') throw errorOf('ORDER_STATE', 'requestEnded');
        await refundRequest(trx, r, 'withdrawn');
        return { back: r.totalFen };
      }),
    ),
  );
}

/** An open order was not claimed in time: its buyer is refunded in full and notified. Does nothing when its state has changed. */
export async function expireRequest(ctx: Context, id: number): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    const r = await lockedRequest(trx, { id });
    if (r?.status !== 'open') return;
    await refundRequest(trx, r, 'expired');
    await notifyBuyer(
      trx,
      r,
      '没有人接单，货款已退回',
      `${yuanLabel(r.totalFen)} 元已退回可用余额，可以调整出价再发一次`,
    );
  });
}

/** Notifies the buyer of an open order. */
export async function notifyBuyer(trx: Trx, r: RequestRow, what: string, text: string): Promise<void> {
  const values = { what, goods: titleOf(r), text };
  await emit(trx, 'notice', { kind: 'boost.request', userId: r.buyerId, ref: `request:${r.id}:${what}`, values });
}
