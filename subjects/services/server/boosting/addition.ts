import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { boostAddition } from '#subjects/services/contract/boosting.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { requireStepUp } from '#subjects/accounts/server/service.ts';
import {
  addProcess,
  type UnlistedOrder,
  unlistedPrice,
  moveServiceDue,
  payPlaced,
  placeUnlisted,
} from '#subjects/orders/server/service.ts';
import {
  actorOf,
  type PartyService,
  lockedService,
  allowsAction,
  nameOf,
  recordAction,
  recordAnswer,
  notifyParty,
  otherRole,
} from '../actions.ts';
import { beginPromise } from '../begin.ts';
import { loadService } from '../queries.ts';
import { type AdditionRow, openAddition } from '../boosting-view.ts';

type Input = Parsed<typeof boostAddition>;
type Done = HandlerResult<typeof boostAddition>;

const MIN_FEN = 100;
/** The time of an order that only adds money, in minutes. */
const PLAIN_MINUTES = 60;

const textOf = (a: Pick<AdditionRow, 'addFen' | 'addMinutes'>): string =>
  [
    ...(a.addFen > 0 ? [`加价 ${yuanLabel(a.addFen)} 元`] : []),
    ...(a.addMinutes > 0 ? [`加时 ${Math.round(a.addMinutes / 6) / 10} 小时`] : []),
  ].join('，');

/** The running order for one of its parties, locked. Throws ORDER_NOT_FOUND, ORDER_DISPUTED, ORDER_STATE. */
async function running(trx: Trx, orderId: number, userId: number): Promise<PartyService> {
  const current = await lockedService(trx, orderId, userId);
  if (current.order.disputed) throw new AppError('ORDER_DISPUTED', { text: '订单在申诉中，结案前不能操作' });
  if (current.service.typeId !== BOOSTING || !allowsAction(current, 'agree')) throw new AppError('ORDER_STATE');
  if (current.service.state === 'waiting') throw errorOf('ORDER_STATE', 'additionBeforeAccount');
  if (current.service.form.parent !== undefined) throw errorOf('ORDER_STATE', 'additionOfAddition');
  await recordAction(trx, current);
  return current;
}

async function tell(
  trx: Trx,
  current: PartyService,
  id: number,
  what: string,
  title: string,
  text: string,
): Promise<void> {
  await notifyParty(trx, current, otherRole(current), {
    kind: 'boost.addition',
    ref: `addition:${id}:${what}`,
    title,
    text,
  });
}

async function ask(trx: Trx, current: PartyService, input: Input, reason: string): Promise<Done> {
  const [addFen, addMinutes] = [input.price ?? 0, input.minutes ?? 0];
  if (addFen === 0 && addMinutes === 0)
    throw new AppError('BAD_INPUT', { text: '请填写加多少钱或加多少时间', field: 'price' });
  if (addFen > 0 && addFen < MIN_FEN) throw new AppError('BAD_INPUT', { text: '加价不能低于 1 元', field: 'price' });
  if (reason.length < 2) throw new AppError('BAD_INPUT', { text: '请写明加价或加时做什么', field: 'reason' });
  const { rows } = await sql<{ id: number }>`
    insert into service_addition (order_id, asked_by, add_fen, add_minutes, reason)
    values (${current.order.id}, ${current.role === 'buyer' ? 0 : 1}, ${addFen}, ${addMinutes}, ${reason}) on conflict do nothing returning id`.execute(
    trx,
  );
  const id = rows[0]?.id;
  if (id === undefined) throw errorOf('ORDER_STATE', 'additionPending');
  const text = `${textOf({ addFen, addMinutes })}：${reason}`;
  await addProcess(trx, current.order, `${nameOf(current)}提出${text}`, actorOf(current));
  await tell(trx, current, id, 'asked', `${nameOf(current)}提出加价或加时`, text);
  return { status: 'asked', orderSn: null };
}

/** Moves the promised time of an order by what was agreed. */
async function addTime(trx: Trx, { order }: PartyService, minutes: number): Promise<void> {
  if (minutes === 0) return;
  const { rows } = await sql<{ due: Date | null }>`
    update service_order set due_at = due_at + make_interval(mins => ${minutes}) where order_id = ${order.id} returning due_at as due`.execute(
    trx,
  );
  await moveServiceDue(trx, order.id, rows[0]?.due ?? new Date());
}

/** The addition that this party may answer, withdraw or pay. Throws ORDER_STATE, ORDER_FORBIDDEN. */
async function answerable(trx: Trx, current: PartyService, action: Input['act']): Promise<AdditionRow> {
  const open = await openAddition(trx, current.order.id);
  if (!open) throw errorOf('ORDER_STATE', 'noAddition');
  const isAsker = (open.requestedBy === 0) === (current.role === 'buyer');
  const isBuyer = current.role === 'buyer';
  if (action === 'withdraw' ? !isAsker && !(isBuyer && open.status === 'agreed') : action !== 'pay' && isAsker)
    throw new AppError('ORDER_FORBIDDEN', { text: '请等待对方处理' });
  if (action === 'pay' && !isBuyer) throw new AppError('ORDER_FORBIDDEN', { text: '由买家付款' });
  if ((action === 'agree' || action === 'decline') && open.status !== 'asked') throw new AppError('ORDER_STATE');
  if (action === 'pay' && open.status !== 'agreed') throw errorOf('ORDER_STATE', 'additionOfOther');
  return open;
}

const STATUS = { decline: 'declined', withdraw: 'withdrawn', agree: 'agreed' } as const;

async function answer(trx: Trx, current: PartyService, action: keyof typeof STATUS): Promise<Done> {
  const open = await answerable(trx, current, action);
  await sql`update service_addition set status = ${STATUS[action]}, answered_at = now() where id = ${open.id}`.execute(
    trx,
  );
  if (action !== 'withdraw') await recordAnswer(trx, current);
  const what = { decline: '没有同意', withdraw: '撤回了', agree: '同意了' }[action];
  if (action === 'agree' && open.addFen === 0) await addTime(trx, current, open.addMinutes);
  await addProcess(trx, current.order, `${nameOf(current)}${what}${textOf(open)}`, actorOf(current));
  const then = action === 'agree' && open.addFen > 0 ? '，请在订单页付款后生效' : '';
  await tell(trx, current, open.id, action, `对方${what}加价或加时`, `${textOf(open)}${then}`);
  return { status: STATUS[action], orderSn: null };
}

async function storeAdded(trx: Trx, current: PartyService, open: AdditionRow, orderId: number): Promise<void> {
  const { order, service } = current;
  const minutes = open.addMinutes || PLAIN_MINUTES;
  await sql`insert into service_order (order_id, package_id, provider_id, type_id, units, minutes, mode, form)
    values (${orderId}, null, ${service.providerId}, ${BOOSTING}, 1, ${minutes}, 'together',
      ${JSON.stringify({ area: service.form.area ?? '', note: open.reason, parent: order.sn })}::jsonb)`.execute(trx);
  await sql`insert into service_milestone (order_id, seq, title, share_fen) values (${orderId}, 1, ${open.reason.slice(0, 40)}, ${open.addFen})`.execute(
    trx,
  );
}

/** Both have agreed: the order of the addition begins immediately, with the duration of the order that it adds to. */
async function begin(trx: Trx, { service }: PartyService, open: AdditionRow, orderId: number): Promise<void> {
  const from = Math.max(Date.now(), service.dueAt?.getTime() ?? 0);
  const due = new Date(from + (open.addMinutes || PLAIN_MINUTES) * 60_000);
  await sql`update service_order set state = 'working', accepted_at = now(), started_at = now(), due_at = ${due} where order_id = ${orderId}`.execute(
    trx,
  );
  await beginPromise(trx, orderId, due);
}

async function loadDeal(call: UserCall, current: PartyService, open: AdditionRow): Promise<UnlistedOrder> {
  const { order } = current;
  const terms = {
    unitFen: open.addFen,
    num: 1,
    buyer: { id: call.user.id, inviterId: call.user.inviterId },
    sellerId: order.sellerId,
  };
  const { rows } = await sql<{ snapshot: UnlistedOrder['snapshot']; gameId: number | null }>`
    select snapshot, game_id as "gameId" from orders where id = ${order.id}`.execute(call.ctx.db);
  const parent = rows[0];
  if (!parent) throw new AppError('ORDER_NOT_FOUND');
  return {
    ...terms,
    typeId: BOOSTING,
    gameId: parent.gameId,
    price: await unlistedPrice(call.ctx, call.dist, terms),
    offerSn: null,
    snapshot: {
      ...parent.snapshot,
      title: `追加：${parent.snapshot.title}`.slice(0, 120),
      facts: [
        { label: '原订单', value: order.sn },
        { label: '追加内容', value: open.reason },
      ],
      handoverType: 0,
      service: true,
    },
    explain: `追加订单，原订单 ${order.sn}`,
  };
}

/**
 * The buyer pays an addition that both want: a separate order, with the same booster, which begins immediately (decision 287). In the same
 * transaction the addition is closed, so it is paid once. Throws PAY_PASSWORD_*, BALANCE_LOW, ORDER_*.
 */
async function pay(call: UserCall, input: Input): Promise<Done> {
  const { ctx, user, dist } = call;
  const { act: action } = input;
  const placed = await placeUnlisted(call, async () => {
    await requireStepUp(call, 'pay', { payPassword: input.payPassword });
    const { current, open } = await inTransaction(ctx.db, async (trx) => {
      const seen = await running(trx, input.orderId, user.id);
      return { current: seen, open: await answerable(trx, seen, action) };
    });
    if (current.order.distId !== dist.id) throw new AppError('ORDER_NOT_FOUND');
    return {
      deal: await loadDeal(call, current, open),
      also: async (trx, { orderId, orderSn }) => {
        const now = await running(trx, input.orderId, user.id);
        const still = await answerable(trx, now, action);
        if (still.id !== open.id) throw new AppError('ORDER_STATE');
        await recordAnswer(trx, now);
        await storeAdded(trx, now, still, orderId);
        await payPlaced(ctx, trx, orderId);
        if (!(await loadService(trx, orderId, true))) throw new Error('a service was not stored');
        await begin(trx, now, still, orderId);
        await sql`update service_addition set status = 'paid', add_order_id = ${orderId}, answered_at = now() where id = ${still.id}`.execute(
          trx,
        );
        await addTime(trx, now, still.addMinutes);
        await addProcess(trx, now.order, `买家付了追加订单 ${orderSn}：${textOf(still)}`, actorOf(now));
        await tell(trx, now, still.id, 'paid', '买家付了追加的钱', `${textOf(still)}，追加订单 ${orderSn}`);
      },
    };
  });
  return { status: 'paid', orderSn: placed.orderSn };
}

/** Whether this action takes the buyer's money: paying, or agreeing to what the booster requests. */
async function takesMoney({ ctx, user }: UserCall, input: Input): Promise<boolean> {
  if (input.act === 'pay') return true;
  if (input.act !== 'agree') return false;
  // Including a paid one: a repeat under the same key gets the same response.
  const { rows } = await sql<{ isMoney: boolean }>`
    select a.status in ('asked', 'paid') and a.add_fen > 0 and a.asked_by = 1 as "isMoney" from orders o join service_addition a on a.order_id = o.id
    where o.id = ${input.orderId} and o.buyer_id = ${user.id} order by a.id desc limit 1`.execute(ctx.db);
  return rows[0]?.isMoney === true;
}

/** More money or time for an order that runs, by agreement. Throws ORDER_*, BAD_INPUT, PAY_PASSWORD_*, BALANCE_LOW. */
export async function runAddition(call: UserCall, input: Input): Promise<Done> {
  const { ctx, user, idem } = call;
  if (await takesMoney(call, input)) return await pay(call, input);
  const reason = publishable(ctx.blockedWords, '原因', input.reason ?? '', 'reason');
  const { act: action, orderId } = input;
  return await orEarlier(ctx.db, idem, async () =>
    inTransaction(ctx.db, async (trx) =>
      idempotent(trx, idem, async () => {
        const current = await running(trx, orderId, user.id);
        if (action === 'ask') return await ask(trx, current, input, reason);
        if (action === 'pay') throw new AppError('ORDER_STATE');
        return await answer(trx, current, action);
      }),
    ),
  );
}
