import { sql } from 'kysely';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Context } from '#server/context.ts';
import type { UserCall } from '#server/call.ts';
import { open, seal } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue } from '#server/slices/games/service.ts';
import { ownPictures } from '#server/slices/media/service.ts';
import { termsForParty } from './queries.ts';
import type { OrderTerms } from './rules.ts';

export interface HandoverRow {
  step: number;
  key: string;
  title: string;
  actor: 'seller' | 'buyer' | 'staff';
  minutes: number;
  required: boolean;
  beforeShip: boolean;
  evidence: boolean;
  secret: boolean;
  explain: string;
  pictures: { key: string }[];
  doneBy: string | null;
  doneAt: Date | null;
}

/** What a deal names as the type of its hand-over when there is nothing to hand over step by step. */
const NO_STEPS_TYPE = 0;

/**
 * Gives a paid order its hand-over steps from the newest catalogue version of its game. Made once, when it is first needed or by
 * the event of the payment, so that the payment itself stays short; every rule about steps goes through here first.
 */
export async function ensureHandover(ctx: Context, trx: Trx, orderId: number): Promise<void> {
  const { rows } = await sql<{ type_id: number; game_id: number | null }>`
    select coalesce((snapshot->>'handoverType')::int, type_id) as type_id, game_id from orders where id = ${orderId} and handover_version is null and status in (1, 2) for update`.execute(
    trx,
  );
  const row = rows[0];
  if (!row) return;
  const { version, steps } =
    row.game_id === null || row.type_id === NO_STEPS_TYPE
      ? { version: 0, steps: [] }
      : (await catalogue(ctx)).handoverOf(row.game_id, row.type_id);
  const list = steps.map((s, i) => ({ ...s, secret: s.secret === true, step: i + 1 }));
  await sql`
    with made as (
      insert into order_handover (order_id, step, key, title, actor, minutes, required, before_ship, evidence, secret, explain)
      select ${orderId}, s.step, s.key, s.title, s.actor, s.minutes, s.required, s."beforeShip", s.evidence, s.secret, s.explain
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as s(step int, key text, title text, actor text, minutes int, required boolean, "beforeShip" boolean,
        evidence boolean, secret boolean, explain text) on conflict do nothing)
    update orders set handover_version = ${version} where id = ${orderId}`.execute(trx);
}

/** An order's steps in their order. */
export async function handoverRows(db: Trx, orderId: number): Promise<HandoverRow[]> {
  const { rows } = await sql<HandoverRow>`
    select step, key, title, actor, minutes, required, before_ship as "beforeShip", evidence, secret, explain, pictures, done_by as "doneBy", done_at as "doneAt"
    from order_handover where order_id = ${orderId} order by step`.execute(db);
  return rows;
}

/** The step whose turn it is: the first that is not done and that the order's status lets happen. */
export function currentStep(rows: readonly HandoverRow[], status: number): HandoverRow | undefined {
  if (status !== 1 && status !== 2) return undefined;
  return rows.find((r) => r.doneAt === null && (status === 2 || r.beforeShip));
}

const mayDo = (row: { actor: string }, role: 'buyer' | 'seller' | 'staff'): boolean =>
  row.actor === role || role === 'staff';

/**
 * Marks the current step done. Steps go in their order; evidence must be the doer's own uploaded pictures. A seller's or staff's
 * step marks the order as touched: from then on the buyer cannot cancel alone. `also` runs in the same transaction, once the step was
 * marked. Throws ORDER_STATE, ORDER_FORBIDDEN, BAD_INPUT, PICTURE_BROKEN.
 */
export async function completeStep(
  ctx: Context,
  order: OrderTerms,
  who: { role: 'buyer' | 'seller' | 'staff'; actor: string; userId: number | null },
  input: { step: number; pictures: readonly string[] },
  also?: (trx: Trx) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await ensureHandover(ctx, trx, order.id);
    const rows = await handoverRows(trx, order.id);
    const now = currentStep(rows, order.status);
    const row = rows.find((r) => r.step === input.step);
    if (row && row.doneAt !== null) return;
    if (!row || !now) throw new AppError('ORDER_STATE');
    if (row.step !== now.step) throw new AppError('ORDER_STATE', { text: `请先完成「${now.title}」` });
    if (!mayDo(row, who.role)) throw new AppError('ORDER_FORBIDDEN', { text: '这一步由对方或客服操作' });
    if (row.evidence && input.pictures.length === 0 && who.role !== 'staff')
      throw new AppError('BAD_INPUT', { text: '请上传这一步的截图凭证' });
    // Staff close a step without pictures.
    const shown = who.userId === null ? [] : await ownPictures(trx, who.userId, 'evidence', input.pictures);
    const pictures = JSON.stringify(shown.map(({ key }) => ({ key })));
    const { rows: done } = await sql`
      update order_handover set done_by = ${who.actor}, done_at = now(), pictures = ${pictures}::jsonb
      where order_id = ${order.id} and step = ${input.step} and done_at is null returning step`.execute(trx);
    if (done.length === 0) return;
    if (who.role !== 'buyer')
      await sql`update orders set touched_at = coalesce(touched_at, now()) where id = ${order.id}`.execute(trx);
    await sql`insert into order_process (order_id, order_status, explain, actor) values (${order.id}, ${order.status}, ${`第 ${row.step} 步「${row.title}」已完成`}, ${who.actor})`.execute(
      trx,
    );
    await sql`insert into outbox (topic, payload) values ('order.handover', ${JSON.stringify({ orderId: order.id, step: row.step, title: row.title })}::jsonb)`.execute(
      trx,
    );
    await also?.(trx);
  });
}

const place = (orderId: number, step: number): string => `sealed_credential.body_enc:${orderId}:${step}`;

/** Puts credentials under seal: only the named side can open them, once. The seller's go to the buyer, the buyer's to staff. */
export async function sealCredential(call: UserCall, orderId: number, step: number, body: string): Promise<void> {
  const { ctx, user } = call;
  await inTransaction(ctx.db, async (trx) => {
    // Of two seals at once the second finds the first and takes its place; none comes behind the erasure at the order's end.
    await sql`select from orders where id = ${orderId} and ${user.id} in (buyer_id, seller_id) for update`.execute(trx);
    const order = await termsForParty(trx, { id: orderId }, user.id);
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    if (order.status !== 1 && order.status !== 2) throw new AppError('ORDER_STATE');
    const role = order.buyerId === user.id ? 'buyer' : 'seller';
    await ensureHandover(ctx, trx, orderId);
    const row = (await handoverRows(trx, orderId)).find((r) => r.step === step);
    if (!row?.secret) throw new AppError('ORDER_STATE', { text: '这一步不需要密封信息' });
    if (row.actor !== role && row.actor !== 'staff')
      throw new AppError('ORDER_FORBIDDEN', { text: '这一步由对方填写' });
    await sql`update sealed_credential set body_enc = null, erased_at = now() where order_id = ${orderId} and step = ${step} and from_user = ${user.id} and erased_at is null`.execute(
      trx,
    );
    await sql`insert into sealed_credential (order_id, step, from_user, for_actor, body_enc)
      values (${orderId}, ${step}, ${user.id}, ${role === 'seller' ? 'buyer' : 'staff'}, ${seal(ctx.keys, place(orderId, step), body)})`.execute(
      trx,
    );
    if (role === 'seller')
      await sql`update orders set touched_at = coalesce(touched_at, now()) where id = ${orderId}`.execute(trx);
    await sql`insert into order_process (order_id, order_status, explain, actor) values (${orderId}, ${order.status}, ${`「${row.title}」的密封信息已提交`}, ${`user:${user.id}`})`.execute(
      trx,
    );
  });
}

/** Opens sealed credentials for the person they are for, once; who opened them and when stays on record. Throws ORDER_STATE when opened before. */
export async function revealCredential(
  ctx: Context,
  order: OrderTerms,
  who: { for: 'buyer' | 'staff'; actor: string; name: string },
  step: number,
  also?: (trx: Trx) => Promise<void>,
) {
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ body_enc: Buffer }>`
      update sealed_credential set revealed_to = ${who.actor}, revealed_at = now()
      where order_id = ${order.id} and step = ${step} and for_actor = ${who.for} and revealed_at is null and body_enc is not null returning body_enc`.execute(
      trx,
    );
    const row = rows[0];
    if (!row || (order.status !== 1 && order.status !== 2))
      throw new AppError('ORDER_STATE', { text: '密封信息不存在、已查看过或已清除' });
    await sql`insert into order_process (order_id, order_status, explain, actor) values (${order.id}, ${order.status}, ${`第 ${step} 步的密封信息已被查看`}, ${who.actor})`.execute(
      trx,
    );
    await also?.(trx);
    return { body: open(ctx.keys, place(order.id, step), row.body_enc), watermark: `${who.name} ${order.sn}` };
  });
}

/** Erases what was sealed once an order has ended. */
export async function eraseCredentials(ctx: Context, orderId: number): Promise<void> {
  await sql`update sealed_credential set body_enc = null, erased_at = now() where order_id = ${orderId} and erased_at is null`.execute(
    ctx.db,
  );
}

/** What each step's seal looks like to a viewer. */
export async function sealsOf(db: Trx, orderId: number) {
  const { rows } = await sql<{
    step: number;
    from_user: number;
    for_actor: string;
    revealed: boolean;
    erased: boolean;
  }>`
    select distinct on (step) step, from_user, for_actor, revealed_at is not null as revealed, body_enc is null as erased
    from sealed_credential where order_id = ${orderId} order by step, id desc`.execute(db);
  return new Map(rows.map((r) => [r.step, r]));
}
