/** Sealed forms: what a seller seals, and what buyers and staff read in it. */
import { revealSecret, sealSecret } from '#subjects/orders/contract/order.ts';
import { staffHandoverDone, staffReveal, staffRevealSecond } from '#subjects/orders/contract/staff-orders.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import type { Sealed } from './model.ts';
import type { HandoverStep, Order } from './snapshot.ts';
import type { World } from './world.ts';

const secretStep = (order: Order): HandoverStep | undefined =>
  order.steps.find((s) => s.secret && s.actor === 'seller');

/** Reads a form: the account that it names, and the version of its password. An unknown name opens nothing. */
function readForm(w: World, form: { fields: readonly { key: string; value: string | null }[] }): Sealed | undefined {
  const valueOf = (key: string): string => form.fields.find((f) => f.key === key)?.value ?? '';
  const account = w.goods.find((g) => g.account.name === valueOf('account'))?.account;
  return account && { account, version: Number(valueOf('password').slice(1)) };
}

/** Seals a log-in as the seller. Returns whether it was accepted. */
export async function storeSealed(w: World, order: Order, { account, version }: Sealed): Promise<boolean> {
  const step = secretStep(order);
  if (!step) return false;
  const done = await w.call(w.client(w.seller(order)), sealSecret, {
    orderId: order.id,
    step: step.step,
    fields: { account: account.name, password: `v${version}` },
  });
  if (done) w.sealed.set(order.id, [...(w.sealed.get(order.id) ?? []), { account, version }]);
  return done !== undefined;
}

/** Opens a form as the buyer. */
export async function openAsBuyer(w: World, order: Order): Promise<Sealed | undefined> {
  const step = secretStep(order);
  if (!step) return undefined;
  const form = await w.call(w.client(w.buyer(order)), revealSecret, { orderId: order.id, step: step.step });
  return form && readForm(w, form);
}

/** Opens a form as staff, with a colleague's permission where one is needed. */
export async function openAsStaff(w: World, staff: TestStaff, order: Order): Promise<Sealed | undefined> {
  const step = secretStep(order);
  if (!step) return undefined;
  const input = { orderId: order.id, step: step.step, reason: '核对登录，需要打开密封信息' };
  const first = await w.call(staff.client, staffReveal, input);
  if (first?.waits !== true) return first?.form ? readForm(w, first.form) : undefined;
  const { admin, service2 } = w.market.staff;
  const second = staff === admin ? service2 : admin;
  await w.call(second.client, staffRevealSecond, { orderId: order.id, decision: 'allow', reason: '同意核对登录' });
  const again = await w.call(staff.client, staffReveal, input);
  return again?.form ? readForm(w, again.form) : undefined;
}

/** A hand-over step by staff, with its evidence, and a reason where it is another party's. */
export async function staffStep(w: World, staff: TestStaff, order: Order, step: HandoverStep): Promise<boolean> {
  const done = await w.call(staff.client, staffHandoverDone, {
    orderId: order.id,
    step: step.step,
    pictures: await w.staffProof(staff),
    ...(step.actor !== 'staff' && { reason: '卖家请客服代为完成' }),
  });
  return done !== undefined;
}
