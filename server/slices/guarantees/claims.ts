import { sql } from 'kysely';
import type * as c from '#contract/guarantee.ts';
import type { Answer, Parsed } from '#contract/endpoint.ts';
import { yuanText } from '#contract/wire.ts';
import type { UserCall } from '#server/call.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { AppError } from '#server/kernel/errors.ts';
import { orderSn as newSn } from '#server/kernel/ids.ts';
import { account, post } from '#server/slices/ledger/service.ts';
import { ownPictures } from '#server/slices/media/service.ts';
import { lockedOrder, type OrderTerms, resumeClocks, stopClocks, takeForFund } from '#server/slices/orders/service.ts';
import { claimById, type ClaimRow, claimWhere, doorOf } from './queries.ts';
import { chaseDay, claimName, claimReasons } from './rules.ts';

interface ClaimSetting {
  lookSeconds: number;
  perDay: number;
}

/** Writes one act on the clock, as the claimant and the public read it. */
export async function step(
  trx: Trx,
  claim: { id: number; day: number },
  actor: string,
  text: string,
  pictures: readonly { key: string }[] = [],
): Promise<void> {
  await sql`insert into guarantee_claim_step (claim_id, seq, day, text, actor, pictures)
    select ${claim.id}, coalesce(max(seq), 0) + 1, ${claim.day}, ${text}, ${actor}, ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb
    from guarantee_claim_step where claim_id = ${claim.id}`.execute(trx);
}

async function timer(trx: Trx, kind: string, id: number, seconds: number): Promise<void> {
  await sql`insert into timer (kind, ref, due_at) values (${kind}, ${String(id)}, now() + make_interval(secs => ${seconds}))
    on conflict (kind, ref) do update set due_at = excluded.due_at, attempts = 0`.execute(trx);
}

async function announce(trx: Trx, topic: string, claim: { id: number; sn: string; orderId: number }): Promise<void> {
  await sql`insert into outbox (topic, payload) values (${topic}, ${JSON.stringify({ claimId: claim.id, claimSn: claim.sn, orderId: claim.orderId })}::jsonb)`.execute(
    trx,
  );
}

/** A line on the order's record, which both its sides read. */
async function record(trx: Trx, order: OrderTerms, text: string): Promise<void> {
  await sql`insert into order_process (order_id, order_status, explain, actor) values (${order.id}, ${order.status}, ${text}, 'system')`.execute(
    trx,
  );
}

/** Opens a claim on the caller's own cover. Throws COVER_NOT_FOUND, CLAIM_DOOR, PAY_AMOUNT, PICTURE_BROKEN, RATE_LIMITED. */
export async function openClaim(
  call: UserCall,
  input: Parsed<typeof c.openClaim>,
): Promise<Answer<typeof c.openClaim>> {
  const { ctx, user, idem } = call;
  return await inTransaction(
    ctx.db,
    async (trx) => await idempotent(trx, idem, async () => await store(ctx, trx, user.id, input)),
  );
}

async function store(
  ctx: Context,
  trx: Trx,
  userId: number,
  input: Parsed<typeof c.openClaim>,
): Promise<{ claimSn: string }> {
  const setting = ctx.dir.setting<ClaimSetting>('claims');
  const found = await doorOf(trx, input.coverId, userId);
  if (!found) throw new AppError('COVER_NOT_FOUND');
  const order = await lockedOrder(trx, found.orderId);
  await sql`select id from guarantee_cover where id = ${found.coverId} for update`.execute(trx);
  const cover = await doorOf(trx, input.coverId, userId);
  if (!cover) throw new AppError('COVER_NOT_FOUND');
  if (cover.closed) throw new AppError('CLAIM_DOOR', { text: cover.closed });
  if (input.amount > cover.payoutMaxFen)
    throw new AppError('PAY_AMOUNT', { text: `这份保障最多赔付 ${yuanText(cover.payoutMaxFen)} 元` });
  const today = await sql<{ n: number }>`
    select count(*)::int as n from guarantee_claim where user_id = ${userId} and opened_at > now() - interval '1 day'`.execute(
    trx,
  );
  if ((today.rows[0]?.n ?? 0) >= setting.perDay)
    throw new AppError('RATE_LIMITED', { text: '今日理赔申请过多，请明天再试' });
  const pictures = await ownPictures(trx, userId, 'evidence', input.pictures);
  // What the seller has not been paid yet waits for the claim: else the fund would pay for money that stands beside it.
  const stopped = await stopClocks(trx, order, '买家申请了包赔理赔，货款等理赔结束后放出或收回（规则 5.3）');
  await sql`update guarantee_cover set status = 'claimed' where id = ${cover.coverId} and status = 'active'`.execute(
    trx,
  );
  const sn = `C${newSn(new Date())}`;
  const { rows } = await sql<{ id: number }>`
    insert into guarantee_claim (sn, dist_id, cover_id, user_id, order_id, reason, explain, pictures, asked_fen, chase_days, stopped, first_look_by)
    values (${sn}, ${order.distId}, ${cover.coverId}, ${userId}, ${order.id}, ${input.reason}, ${input.explain},
      ${JSON.stringify(pictures.map(({ key }) => ({ key })))}::jsonb, ${input.amount}, ${cover.chaseDays}, ${JSON.stringify(stopped ?? {})}::jsonb,
      now() + make_interval(secs => ${setting.lookSeconds})) returning id`.execute(trx);
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

/** A claim that is worked on under its lock and its order's. */
export interface OpenClaim extends ClaimRow {
  day: number;
  order: OrderTerms;
}

/** Locks a claim that is still open, after its order, as who opens one or a dispute does, and works on it. Throws CLAIM_NOT_FOUND, CLAIM_STATE. */
export async function onClaim<T>(
  ctx: Context,
  find: (trx: Trx) => Promise<ClaimRow | undefined>,
  work: (trx: Trx, claim: OpenClaim) => Promise<T>,
): Promise<T> {
  return await inTransaction(ctx.db, async (trx) => {
    const found = await find(trx);
    if (!found) throw new AppError('CLAIM_NOT_FOUND');
    const order = await lockedOrder(trx, found.orderId);
    await sql`select id from guarantee_claim where id = ${found.id} for update`.execute(trx);
    const claim = await claimById(trx, found.id);
    if (!claim || (claim.status !== 'checking' && claim.status !== 'chasing')) throw new AppError('CLAIM_STATE');
    return await work(trx, { ...claim, order, day: chaseDay(claim.chaseFrom, claim.chaseDays, new Date()) });
  });
}

const ofUser = (sn: string, userId: number) => async (trx: Trx) =>
  (await claimWhere(trx, sql`c.sn = ${sn} and c.user_id = ${userId}`))[0];

const MAX_STEPS = 30;

/** More proof from the claimant. Throws CLAIM_NOT_FOUND, CLAIM_STATE, PICTURE_BROKEN. */
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

/** The claimant takes it back; the cover goes on. Throws CLAIM_NOT_FOUND, CLAIM_STATE. */
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

/** Ends a claim without paying; the cover and the seller's hold go on. */
export async function close(
  trx: Trx,
  claim: OpenClaim,
  status: 'withdrawn' | 'refused' | 'recovered',
  refusal: string | null,
): Promise<void> {
  await sql`update guarantee_claim set status = ${status}, refusal = ${refusal}, decided_at = now() where id = ${claim.id}`.execute(
    trx,
  );
  await sql`update guarantee_cover set status = 'active' where id = ${claim.coverId} and status = 'claimed'`.execute(
    trx,
  );
  await sql`delete from timer where kind in ('guarantee.look', 'guarantee.pay') and ref = ${String(claim.id)}`.execute(
    trx,
  );
  await resumeClocks(trx, claim.order, claim.stopped);
  await record(trx, claim.order, `包赔理赔结束：${claimName(status)}`);
  await announce(trx, `claim.${status}`, claim);
}

/** Starts the chase with its public deadline. */
export async function startChase(
  trx: Trx,
  claim: ClaimRow,
  actor: string,
  text: string,
  staffId: number | null,
): Promise<void> {
  const seconds = claim.chaseDays * 86_400;
  await sql`update guarantee_claim set status = 'chasing', chase_from = now(), deadline_at = now() + make_interval(secs => ${seconds}),
    staff_id = coalesce(${staffId}::bigint, staff_id) where id = ${claim.id}`.execute(trx);
  await sql`delete from timer where kind = 'guarantee.look' and ref = ${String(claim.id)}`.execute(trx);
  await timer(trx, 'guarantee.pay', claim.id, seconds);
  await step(trx, { id: claim.id, day: 1 }, actor, text);
  await announce(trx, 'claim.chasing', claim);
}

/**
 * Pays a locked open claim out of the fund, to the cover's holder; with it the cover ends. What is still held of the sale goes to the
 * fund first, unless the seller is spared because the loss is not his (rule 5.3). The postings' ref is the claim, so that no second one
 * is possible whatever comes.
 */
export async function pay(
  trx: Trx,
  claim: OpenClaim,
  paid: { fen: number; actor: string; text: string; sparesSeller?: boolean },
): Promise<void> {
  const { order } = claim;
  const backFen = paid.sparesSeller ? 0 : await takeForFund(trx, order, paid.fen, claim.id);
  if (backFen === 0) await resumeClocks(trx, order, claim.stopped);
  const words = backFen > 0 ? `，从冻结货款收回 ${yuanText(backFen)} 元` : '';
  await record(trx, order, `包赔已赔付买家 ${yuanText(paid.fen)} 元${words}`);
  await sql`update guarantee_claim set status = 'paid', paid_fen = ${paid.fen}, recourse_fen = ${backFen}, paid_note = ${paid.text}, decided_at = now() where id = ${claim.id}`.execute(
    trx,
  );
  await sql`update guarantee_cover set status = 'paid' where id = ${claim.coverId}`.execute(trx);
  await sql`delete from timer where kind in ('guarantee.look', 'guarantee.pay') and ref = ${String(claim.id)}`.execute(
    trx,
  );
  await post(trx, [
    {
      code: 'claim_paid',
      ref: `claim:${claim.id}`,
      debit: account.platform('guarantee_fund', claim.orderId),
      credit: account.available(claim.userId),
      fen: paid.fen,
      dist: claim.distId,
      order: claim.orderId,
    },
  ]);
  await step(trx, claim, paid.actor, `${paid.text}，赔付 ${yuanText(paid.fen)} 元已到余额`);
  if (claim.goodsId !== null)
    await sql`insert into goods_event (goods_id, kind, actor, detail) values (${claim.goodsId}, 'claimed', 'system', '{}')`.execute(
      trx,
    );
  await announce(trx, 'claim.paid', claim);
}

/** Nobody looked in time: the chase begins by itself, so that the promise does not wait for anybody. */
export async function lookOver(ctx: Context, id: number): Promise<void> {
  await onClaim(
    ctx,
    (trx) => claimById(trx, id),
    async (trx, claim) => {
      if (claim.status === 'checking') await startChase(trx, claim, 'system', '超过受理时限，自动进入追索计时', null);
    },
  );
}

/** The deadline: what was asked for is paid by itself. */
export async function deadline(ctx: Context, id: number): Promise<void> {
  await onClaim(
    ctx,
    (trx) => claimById(trx, id),
    async (trx, claim) => {
      if (claim.status !== 'chasing') return;
      // The clock that set the deadline decides whether it is there, whatever this process takes the time for.
      const { rows } = await sql<{ left: number }>`
        select extract(epoch from deadline_at - now())::float8 as left from guarantee_claim where id = ${claim.id}`.execute(
        trx,
      );
      const left = rows[0]?.left ?? 0;
      if (left > 0) return await timer(trx, 'guarantee.pay', claim.id, left);
      await pay(trx, claim, {
        fen: claim.askedFen,
        actor: 'system',
        text: `${claim.chaseDays} 天追索期满，未追回，自动赔付`,
      });
    },
  );
}
