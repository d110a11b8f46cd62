import { sql } from 'kysely';
import { isInProgress, OrderStatus } from '../../rules/order-status.ts';
import { BOOSTING, RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { termsForSystem } from '../queries.ts';
import type { OrderTerms } from '../rules.ts';
import { CHECK_LOGIN } from './access.ts';
import { handoverRows, type HandoverRow } from './handover.ts';

/** The check of staff that covers a step's form: the one that follows it. */
export const checkOf = (rows: readonly HandoverRow[], { step }: Pick<HandoverRow, 'step'>): HandoverRow | undefined =>
  rows.find((r) => r.key === CHECK_LOGIN && r.step > step);

/** Versions of one form. */
const MAX_VERSIONS = 20;

/** What decides whether a form can have a new version; `version` is its newest one, 0 before the first. */
interface Sealable {
  typeId: number;
  status: number;
  disputed: boolean;
  isService: boolean;
  version: number;
}

interface SealRefusal {
  code: 'ORDER_STATE' | 'ORDER_DISPUTED';
  text: string;
}

/**
 * Why a step's form cannot have a new version; undefined when it can. The write and the button of the page both follow it. The checked version
 * must be the delivered one: after shipping, and after the inspection of a recycled account, only staff can request another version of a
 * checked form. A form that nobody could open is not sealed.
 */
export function sealRefusal(
  { typeId, status, disputed, isService, version }: Sealable,
  rows: readonly HandoverRow[],
  row: HandoverRow,
): SealRefusal | undefined {
  const no = (text: string): SealRefusal => ({ code: 'ORDER_STATE', text });
  if (!isInProgress(status)) return no('订单已结束，不能再提交密封信息');
  if (typeId === BOOSTING && status === OrderStatus.Shipped)
    return no('代练已全部交付，打手不能再打开账号资料，不用再更新');
  // The first form of a service starts its promised time, and a dispute stops every clock.
  if (version === 0 && isService && disputed)
    return { code: 'ORDER_DISPUTED', text: '订单在申诉中，结案后再提交账号资料' };
  if (version >= MAX_VERSIONS) return no(`这一步已封存 ${MAX_VERSIONS} 次，如需再改请联系客服`);
  if ((checkOf(rows, row)?.doneAt ?? null) === null) return undefined;
  if (typeId === RECYCLED_ACCOUNT) return no('账号已经验过，密封信息不能再改；账号有变化请联系客服');
  return status === OrderStatus.Shipped
    ? no('客服核对过的账号资料已交付买家，不能再改；资料有误请在交易群里联系客服，由客服要求重新提交')
    : undefined;
}

/** Reopens the check of a form that has a new version. The caller holds the order's lock. */
export async function reopenCheck(
  trx: Trx,
  order: Pick<OrderTerms, 'id' | 'status'>,
  rows: readonly HandoverRow[],
  by: { row: Pick<HandoverRow, 'step'>; actor: string; why: string },
): Promise<boolean> {
  const check = checkOf(rows, by.row);
  if (!check || check.doneAt === null) return false;
  await sql`update order_handover set done_at = null, done_by = null, pictures = '[]', note = null
    where order_id = ${order.id} and step = ${check.step}`.execute(trx);
  await sql`insert into order_process (order_id, order_status, explain, actor)
    values (${order.id}, ${order.status}, ${`${by.why}。「${check.title}」需要客服重新完成`}, ${by.actor})`.execute(
    trx,
  );
  const { rows: made } = await sql<{ n: number }>`
    select count(*)::int as n from order_process where order_id = ${order.id}`.execute(trx);
  await emit(trx, 'chat.card', {
    orderId: order.id,
    key: `check-reopened-${made[0]?.n ?? 0}`,
    card: 'order.stepMissing',
    title: `「${check.title}」需要重新完成`,
    content: `${by.why}。客服核对新一版之前，买家不能打开，货款由平台托管`,
  });
  return true;
}

/**
 * Staff require the seller to submit a checked form again: the check is reopened, and until it is done again the buyer
 * can open nothing and no money is released. `also` runs in the same transaction. Throws ORDER_NOT_FOUND, ORDER_STATE,
 * ORDER_DISPUTED.
 */
export async function askForNewVersion(
  ctx: Context,
  orderId: number,
  by: { step: number; staffId: number; reason: string },
  also: (trx: Trx) => Promise<void>,
): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await sql`select from orders where id = ${orderId} for update`.execute(trx);
    const order = await termsForSystem(trx, { id: orderId });
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    if (!isInProgress(order.status)) throw new AppError('ORDER_STATE');
    if (order.disputed) throw new AppError('ORDER_DISPUTED', { text: '订单在申诉中，结案后再要求重新提交' });
    if (order.typeId === RECYCLED_ACCOUNT) throw errorOf('ORDER_STATE', 'formOfRecycled');
    const rows = await handoverRows(trx, orderId);
    const row = rows.find((r) => r.step === by.step && r.secret);
    const why = `客服要求重新提交「${row?.title ?? ''}」：${by.reason}`;
    if (!row || !(await reopenCheck(trx, order, rows, { row, actor: `staff:${by.staffId}`, why })))
      throw errorOf('ORDER_STATE', 'formNotChecked');
    await also(trx);
  });
}

/** Throws ORDER_STATE when staff complete a check of forms of which they have not opened the newest version. The caller holds the order's lock. */
export async function requireNewestOpened(trx: Trx, orderId: number, checkStep: number): Promise<void> {
  const { rows } = await sql<{ title: string }>`
    select h.title from order_handover h
      join (select step, max(version) as version from sealed_credential where order_id = ${orderId} group by step) n on n.step = h.step
    where h.order_id = ${orderId} and h.secret and h.actor = 'seller' and h.step < ${checkStep}
      and not exists (select from credential_opening c where c.order_id = h.order_id and c.step = h.step and c.version = n.version and c.party = 'staff')
    order by h.step limit 1`.execute(trx);
  if (rows[0])
    throw new AppError('ORDER_STATE', { text: `请先打开「${rows[0].title}」最新一版密封信息，登录核对后再完成这一步` });
}
