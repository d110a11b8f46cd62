import { BOOSTING } from '../../rules/order-types.ts';
import { sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { openedForm } from '#subjects/orders/contract/handover.ts';
import type { orderDetail } from '#subjects/orders/contract/order.ts';
import { type OpeningPurpose, openingPurposes, SEALED_OPEN_SECONDS } from '../../rules/sealed-fields.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import type { Context } from '#server/context.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { z } from 'zod';
import { accessOf, CHECK_LOGIN, type OpeningContext } from './access.ts';
import { newestVersion, readVersion, type CredentialRow } from './credentials.ts';
import { termsForSystem } from '../queries.ts';
import type { OrderTerms } from '../rules.ts';

/** The person opening a form: role, actor in the record, and the name in the watermark. */
export interface Opener {
  party: 'buyer' | 'seller' | 'staff';
  actor: string;
  name: string;
  /** The member of staff assigned to the order's open dispute. */
  inDispute?: boolean;
  /** A colleague of the inspector who takes over what the platform bought. */
  takesOver?: boolean;
}

type Opened = z.input<typeof openedForm>;

/** Whether staff still have to check the login of an order. */
async function loginUnchecked(trx: Trx, orderId: number): Promise<boolean> {
  const { rows } = await sql`
    select from order_handover where order_id = ${orderId} and key = ${CHECK_LOGIN} and done_at is null`.execute(trx);
  return rows.length > 0;
}

/** The purpose of an opening. Throws ORDER_STATE, ORDER_FORBIDDEN, ORDER_DISPUTED, SEAL_*. */
function purposeOf(o: OpeningContext, opener: Opener, credential: CredentialRow): OpeningPurpose {
  const role = opener.inDispute === true ? 'judge' : opener.takesOver === true ? 'taker' : opener.party;
  const access = accessOf(o, role, credential.fromUser);
  if ('purpose' in access) return access.purpose;
  if (role === 'staff' && access.closed === 'ORDER_STATE') throw errorOf('ORDER_STATE', 'formClosed');
  if (access.closed === 'ORDER_FORBIDDEN') throw new AppError('ORDER_FORBIDDEN', { text: '这份密封信息不是给您的' });
  if (access.closed === 'ORDER_DISPUTED')
    throw new AppError('ORDER_DISPUTED', { text: '订单在申诉中，结案前不能打开密封信息' });
  throw new AppError(access.closed);
}

/** The opener's name in texts that both parties read. */
const openerName = (o: OrderTerms, opener: Opener): string =>
  opener.party === 'staff' ? staffName(opener.name) : partyName(o.typeId, opener.party);

/** Customer service by name. */
export const staffName = (name: string): string => `客服${name.replace(/^(平台)?客服/, '')}`;

const partyName = (typeId: number, party: 'buyer' | 'seller'): string =>
  party === 'buyer' ? '买家' : typeId === BOOSTING ? '打手' : '卖家';

/**
 * Opens the newest version of a step's form under the order's lock, which serialises it with a cancellation. Each opening is recorded,
 * both parties are notified, and the order is marked; `before` runs first under the lock, `also` last. Throws
 * ORDER_NOT_FOUND, ORDER_STATE, ORDER_FORBIDDEN, ORDER_DISPUTED, SEAL_NONE, SEAL_NOT_YET.
 */
export async function openForm(
  ctx: Context,
  orderId: number,
  opener: Opener,
  step: number,
  hooks: { before?: (trx: Trx, order: OrderTerms) => Promise<void>; also?: (trx: Trx) => Promise<void> } = {},
): Promise<Opened> {
  return await inTransaction(ctx.db, async (trx) => {
    await sql`select from orders where id = ${orderId} for update`.execute(trx);
    const order = await termsForSystem(trx, { id: orderId });
    if (!order) throw new AppError('ORDER_NOT_FOUND');
    await hooks.before?.(trx, order);
    const credential = await newestVersion(trx, orderId, step);
    if (!credential) throw new AppError('SEAL_NONE');
    const purpose = purposeOf(
      { ...order, unchecked: await loginUnchecked(trx, orderId), unaccepted: order.isService && !order.touched },
      opener,
      credential,
    );
    const fields = await readVersion(ctx, trx, orderId, credential);
    if (!fields) throw errorOf('ORDER_STATE', 'formErased');
    const { count, at } = await record(trx, order, opener, { step, version: credential.version, purpose });
    await hooks.also?.(trx);
    return {
      step,
      version: credential.version,
      fields,
      watermark: `${opener.party === 'staff' ? staffName(opener.name) : opener.name} ${order.sn}`,
      purpose: openingPurposes[purpose],
      count,
      openedTime: at,
      openUntil: new Date(at.getTime() + SEALED_OPEN_SECONDS * 1000),
    };
  });
}

/** Records an opening and publishes it: its row, the order's marks, the process entry, and the card in the chat. */
async function record(
  trx: Trx,
  order: OrderTerms,
  opener: Opener,
  what: { step: number; version: number; purpose: OpeningPurpose },
): Promise<{ count: number; at: Date }> {
  const { rows } = await sql<{ id: number; at: Date; before: number }>`
    insert into credential_opening (order_id, step, version, opener, party, purpose)
    values (${order.id}, ${what.step}, ${what.version}, ${opener.actor}, ${opener.party}, ${what.purpose})
    returning id, opened_at as at, (select count(*)::int from credential_opening c where c.order_id = ${order.id} and c.opener = ${opener.actor}) as before`.execute(
    trx,
  );
  const row = rows[0];
  if (!row) throw new Error('an opening was not stored');
  // A booster opens the buyer's form: opening an account's form marks it as received.
  await sql`update orders set credential_opened_at = coalesce(credential_opened_at, now()),
      buyer_opened_at = case when ${opener.party} = 'buyer' then coalesce(buyer_opened_at, now()) else buyer_opened_at end
    where id = ${order.id}`.execute(trx);
  const name = openerName(order, opener);
  const version = what.version > 1 ? `（第 ${what.version} 版）` : '';
  const message = `${name}查看了密封信息${version}，用途：${openingPurposes[what.purpose]}`;
  await sql`insert into order_process (order_id, order_status, explain, actor)
    values (${order.id}, ${order.status}, ${message}, ${opener.actor})`.execute(trx);
  const card = {
    orderId: order.id,
    key: `opening-${row.id}`,
    card: 'order.opened',
    title: `${name}查看了密封信息`,
    content: `第 ${row.before + 1} 次查看${version}，用途：${openingPurposes[what.purpose]}`,
  };
  const event = {
    orderId: order.id,
    opening: row.id,
    name,
    party: opener.party,
    purpose: openingPurposes[what.purpose],
  };
  await emit(trx, 'chat.card', card);
  await emit(trx, 'order.opened', event);
  return { count: row.before + 1, at: row.at };
}

type OpeningView = HandlerResult<typeof orderDetail>['openings'][number];

/** An order's openings as a viewer reads them, oldest first. */
export async function loadOpenings(
  db: Trx,
  order: { id: number; typeId: number },
  viewer: string | null,
): Promise<OpeningView[]> {
  type Row = {
    step: number;
    version: number;
    opener: string;
    party: Opener['party'];
    purpose: OpeningPurpose;
    at: Date;
    staff: string | null;
  };
  const { rows } = await sql<Row>`
    select c.step, c.version, c.opener, c.party, c.purpose, c.opened_at as at, f.name as staff
    from credential_opening c left join staff f on c.party = 'staff' and f.id = substr(c.opener, 7)::bigint
    where c.order_id = ${order.id} order by c.id limit 200`.execute(db);
  return rows.map((r) => ({
    step: r.step,
    version: r.version,
    name: r.party === 'staff' ? staffName(r.staff ?? '') : partyName(order.typeId, r.party),
    purpose: openingPurposes[r.purpose],
    time: r.at,
    mine: r.opener === viewer,
  }));
}

/** Whether this member of staff has opened an order's account to take it over for the platform; a colleague's opening does not count. */
export async function isOpenedForTakeOver(db: Trx, orderId: number, staffId: number): Promise<boolean> {
  const { rows } = await sql`
    select from credential_opening
    where order_id = ${orderId} and opener = ${`staff:${staffId}`} and party = 'staff' and purpose = 'accept' limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
