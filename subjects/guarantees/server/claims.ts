import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/guarantees/contract/guarantee.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { claimableUntil, claimReasons } from '../rules/guarantee.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { reschedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { orderSn as newSn } from '#server/kernel/ids.ts';
import { ordersOfAccount, takeOffAccount } from '#subjects/goods/server/service.ts';
import { ownPictures } from '#subjects/media/server/service.ts';
import { lockedOrder, stopClocks } from '#subjects/orders/server/service.ts';
import { announce, close, onClaim, record, step, timer } from './clock.ts';
import { claimWhere, type ClaimEligibility, claimEligibility } from './queries.ts';

/**
 * Opens a claim on a cover of the caller and takes the account's listings off sale. Throws COVER_NOT_FOUND, CLAIM_UNAVAILABLE, CLAIM_REASON,
 * CLAIM_LIMIT, PICTURE_BROKEN, RATE_LIMITED.
 */
export async function openClaim(
  call: UserCall,
  input: Parsed<typeof c.openClaim>,
): Promise<HandlerResult<typeof c.openClaim>> {
  const { ctx, user, idem } = call;
  return await inTransaction(
    ctx.db,
    async (trx) => await idempotent(trx, idem, async () => await store(ctx, trx, user.id, input)),
  );
}

/** Checks that the cover includes this reason and amount (platform rule 5.4). Throws CLAIM_REASON, CLAIM_LIMIT. */
function checkRequested(cover: ClaimEligibility, { reason, amount }: Parsed<typeof c.openClaim>): void {
  const { name } = claimReasons[reason];
  if (!cover.reasons[reason])
    throw new AppError('CLAIM_REASON', { text: `这份保障不含「${name}」，请选择保障内的原因`, field: 'reason' });
  const limitFen = claimableUntil(
    { reasons: cover.reasons, priceFen: cover.insuredFen, payoutMaxFen: cover.payoutMaxFen },
    reason,
    cover.days,
  );
  if (amount > limitFen)
    throw new AppError('CLAIM_LIMIT', {
      text: `「${name}」最多赔付 ${yuanLabel(limitFen)} 元，请修改理赔金额`,
      field: 'amount',
    });
}

/**
 * Bars the account from sale while the claim is open: listings go off sale, unpaid orders are closed by their timer. Throws CLAIM_UNAVAILABLE
 * while the claimant is selling the account, or buying it again.
 */
async function barAccount(
  ctx: Context,
  trx: Trx,
  userId: number,
  cover: ClaimEligibility,
  claimSn: string,
): Promise<void> {
  if (cover.fingerprint === null) return;
  await takeOffAccount(ctx, trx, {
    fingerprint: cover.fingerprint,
    claimSn,
    why: '正在包赔理赔，理赔结束前不能出售',
    rule: '5.6',
  });
  const orders = await ordersOfAccount(trx, cover.fingerprint, cover.orderId);
  const own = orders.find(
    ({ sellerId, buyerId, status }) => sellerId === userId || (buyerId === userId && status !== OrderStatus.Unpaid),
  );
  if (own) {
    const side = own.sellerId === userId ? '出售' : '购买';
    throw new AppError('CLAIM_UNAVAILABLE', {
      text: `账号正在您${side}的订单 ${own.sn} 中，请先取消该订单再申请理赔`,
    });
  }
  const unpaid = orders.filter(({ status }) => status === OrderStatus.Unpaid).map(({ id }) => id);
  await reschedule(trx, 'order.expire', unpaid, { seconds: 0 });
}

async function store(
  ctx: Context,
  trx: Trx,
  userId: number,
  input: Parsed<typeof c.openClaim>,
): Promise<{ claimSn: string }> {
  const setting = ctx.dir.setting('claims');
  const unlocked = await claimEligibility(trx, input.coverId, userId);
  if (!unlocked) throw new AppError('COVER_NOT_FOUND');
  const order = await lockedOrder(trx, unlocked.orderId);
  await sql`select id from guarantee_cover where id = ${unlocked.coverId} for update`.execute(trx);
  const cover = await claimEligibility(trx, input.coverId, userId);
  if (!cover) throw new AppError('COVER_NOT_FOUND');
  if (cover.closed) throw new AppError('CLAIM_UNAVAILABLE', { text: cover.closed });
  checkRequested(cover, input);
  const today = await sql<{ n: number }>`
    select count(*)::int as n from guarantee_claim where user_id = ${userId} and opened_at > now() - interval '1 day'`.execute(
    trx,
  );
  if ((today.rows[0]?.n ?? 0) >= setting.perDay)
    throw new AppError('RATE_LIMITED', { text: '今日理赔申请过多，请明天再试' });
  const pictures = await ownPictures(trx, userId, 'evidence', input.pictures);
  const sn = `C${newSn(new Date())}`;
  await barAccount(ctx, trx, userId, cover, sn);
  // Money that the seller has not received yet waits for the claim; otherwise the fund would pay although that money is available.
  const stopped = await stopClocks(trx, order, '买家申请了包赔理赔，货款等理赔结束后放出或收回（规则 5.3）');
  await sql`update guarantee_cover set status = 'claimed' where id = ${cover.coverId} and status = 'active'`.execute(
    trx,
  );
  const { rows } = await sql<{ id: number }>`
    insert into guarantee_claim (sn, dist_id, cover_id, user_id, order_id, reason, explain, pictures, asked_fen, chase_days, stopped, first_look_by,
      fingerprint)
    values (${sn}, ${order.distId}, ${cover.coverId}, ${userId}, ${order.id}, ${input.reason}, ${input.explain},
      ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb, ${input.amount}, ${cover.chaseDays}, ${JSON.stringify(stopped ?? {})}::jsonb,
      now() + make_interval(secs => ${setting.lookSeconds}), ${cover.fingerprint}) returning id`.execute(trx);
  const claim = { id: rows[0]?.id ?? 0, sn, orderId: order.id, day: 0 };
  await step(trx, claim, `user:${userId}`, `提交理赔申请：${claimReasons[input.reason].name}`, pictures);
  await timer(trx, 'guarantee.look', claim.id, setting.lookSeconds);
  await record(
    trx,
    order,
    `买家申请包赔理赔：${claimReasons[input.reason].name}${stopped ? '，尚未放出的货款停止计时' : ''}`,
  );
  await announce(trx, 'claim.opened', claim);
  return { claimSn: sn };
}

const ofUser = (sn: string, userId: number) => async (trx: Trx) =>
  (await claimWhere(trx, sql`c.sn = ${sn} and c.user_id = ${userId}`))[0];

const MAX_STEPS = 30;

/** Adds evidence by the claimant. Throws CLAIM_NOT_FOUND, CLAIM_STATE, PICTURE_BROKEN. */
export async function addEvidence(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.addClaimEvidence>,
): Promise<Record<string, never>> {
  await onClaim(ctx, ofUser(input.claimSn, user.id), async (trx, claim) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from guarantee_claim_step where claim_id = ${claim.id} and actor = ${`user:${user.id}`}`.execute(
      trx,
    );
    if ((rows[0]?.n ?? 0) >= MAX_STEPS) throw new AppError('BAD_INPUT', { text: '补充次数过多，请联系客服' });
    const pictures = await ownPictures(trx, user.id, 'evidence', input.pictures);
    await step(trx, claim, `user:${user.id}`, `补充证明：${input.text}`, pictures);
  });
  return {};
}

/** Withdraws a claim of the caller; the cover continues. Throws CLAIM_NOT_FOUND, CLAIM_STATE. */
export async function withdrawClaim(
  { ctx, user }: UserCall,
  { claimSn }: Parsed<typeof c.withdrawClaim>,
): Promise<Record<string, never>> {
  await onClaim(ctx, ofUser(claimSn, user.id), async (trx, claim) => {
    await close(trx, claim, 'withdrawn', null);
    await step(trx, claim, `user:${user.id}`, '申请人撤回理赔，保障继续');
  });
  return {};
}
