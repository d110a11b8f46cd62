/** Actions of the coalition with inspections: ask, seal, have it read again for the fee, call a reading wrong, correct the listing. */
import * as c from '#subjects/inspections/contract/inspection.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { type Action, mine, onSale, rogues } from './actions-trade.ts';
import { type Account, canLogIn, names, SAID_SKINS, TRUE_SKINS, type Who } from '../worlds/model.ts';
import { noteRead } from '../rules/physical.ts';
import type { Task } from '../worlds/snapshot-services.ts';
import type { TestStaff } from '#tests/support/servers/build.ts';
import type { Goods, World } from '../worlds/world.ts';

const formOf = ({ name, version }: Account) => ({ account: name, password: `v${version}` });
/** Another account of the owner of a listing. */
const otherOf = (w: World, g: Goods): Account | undefined =>
  w.goods.find((x) => x.account !== g.account && canLogIn(x.account, g.owner))?.account;
const OPEN = ['waiting', 'queued', 'claimed', 'review'];
const isReading = (w: World): boolean => w.setting.service === 'reading';
const tasksWhere = (w: World, matches: (t: Task) => boolean): number[][] =>
  w.services.tasks.flatMap((t, n) => (matches(t) ? [[n]] : []));
const ownerOf = (w: World, t: Task): Who => w.goods.find((g) => g.id === t.goodsId)?.owner ?? 'b';

const hasBadReader = (w: World): boolean => w.setting.bad === 'service' && w.setting.badAssigned;

/** The seller has it inspected; a dishonest reader of the coalition may be the first at the task. */
const asking: Action = {
  name: 'readAsk',
  weight: 10,
  theme: 'reading',
  options: (w) =>
    isReading(w)
      ? w.goods.flatMap((g, n) => {
          const isOpen = w.services.tasks.some((t) => t.goodsId === g.id && OPEN.includes(t.status));
          if (!mine(g.owner) || !onSale(w, n) || isOpen) return [];
          const hasOther = otherOf(w, g) !== undefined;
          return [
            [n, 0, 'own'],
            ...(hasOther ? [[n, 0, 'other']] : []),
            ...(hasBadReader(w) ? [[n, SAID_SKINS, 'own']] : []),
          ];
        })
      : [],
  async run(w, [n, skins, which]) {
    const g = w.goods[Number(n)];
    const sealed = g && (which === 'other' ? otherOf(w, g) : g.account);
    if (!g || !sealed) return false;
    const done = await w.call(w.client(g.owner), c.inspectionAsk, { goodsSn: g.sn, fields: formOf(sealed) });
    if (!done) return false;
    w.inspected.set(done.taskId, sealed);
    w.log(
      `${names[g.owner]} has account ${n} inspected${which === 'other' ? ' and seals another account for it' : ''}.`,
    );
    if (skins === 0) return true;
    const t = { id: done.taskId, goodsId: g.id, kind: 'first', status: 'queued', buyerId: null, staffId: null };
    if (await readTask(w, w.market.staff.badService, t, Number(skins)))
      w.log(`A dishonest member of staff reads ${skins} skins.`);
    return true;
  },
};

const again: Action = {
  name: 'readAgain',
  weight: 4,
  theme: 'reading',
  options: (w) =>
    isReading(w)
      ? w.goods.flatMap((g, n) =>
          onSale(w, n) && w.services.tasks.some((t) => t.goodsId === g.id && t.status === 'done')
            ? rogues(w)
                .filter((who) => who !== g.owner)
                .map((who) => [n, who])
            : [],
        )
      : [],
  async run(w, [n, who]) {
    const g = w.goods[Number(n)];
    if (!g) return false;
    // Another reading is only for one that is some days old.
    await w.pass(8 * 86_400);
    const done = await w.call(w.client(who as Who), c.inspectionAgain, { goodsSn: g.sn });
    if (done) w.log(`Eight days pass; ${names[who as Who]} has account ${n} read again for the fee.`);
    return done !== undefined;
  },
};

const sealing: Action = {
  name: 'readSeal',
  weight: 5,
  theme: 'reading',
  options: (w) => tasksWhere(w, (t) => t.status === 'waiting' && mine(ownerOf(w, t))),
  async run(w, [n]) {
    const t = w.services.tasks[Number(n)];
    const g = t && w.goods.find((x) => x.id === t.goodsId);
    const done = g && (await w.call(w.client(g.owner), c.inspectionSeal, { taskId: t.id, fields: formOf(g.account) }));
    if (done) w.log('The seller seals the account for the inspection.');
    return done !== undefined;
  },
};

const correcting: Action = {
  name: 'readCorrect',
  weight: 3,
  theme: 'reading',
  options: (w) => tasksWhere(w, (t) => t.status === 'done' && mine(ownerOf(w, t))),
  async run(w, [n]) {
    const t = w.services.tasks[Number(n)];
    const done = t && (await w.call(w.client(ownerOf(w, t)), c.inspectionCorrect, { taskId: t.id }));
    if (done) w.log('The seller lets the listing say what was read.');
    return done !== undefined;
  },
};

const taskBack: Action = {
  name: 'readWithdraw',
  weight: 1,
  theme: 'reading',
  options: (w) => tasksWhere(w, (t) => t.status === 'waiting' || t.status === 'queued'),
  async run(w, [n]) {
    const t = w.services.tasks[Number(n)];
    const who = t && (t.buyerId === null ? ownerOf(w, t) : w.whoIs(t.buyerId));
    const done = t && who && (await w.call(w.client(who), c.inspectionWithdraw, { taskId: t.id }));
    if (done) w.log('An inspection is taken back.');
    return done !== undefined;
  },
};

/** Calls a reading of an order wrong. */
export async function callWrong(w: World, orderId: number, who: Who): Promise<boolean> {
  const done = await w.call(w.client(who), c.inspectionWrong, {
    orderId,
    field: 'skins',
    found: `只有 ${TRUE_SKINS} 款皮肤`,
    pictures: (await w.proof(who)) as never,
  });
  if (done) w.log(`${names[who]} calls a reading of order ${w.numberOf({ id: orderId })} wrong.`);
  return done !== undefined;
}

const wrong: Action = {
  name: 'readWrong',
  weight: 8,
  theme: 'reading',
  options: (w) =>
    isReading(w)
      ? w.state.orders.flatMap((o, n) =>
          mine(w.buyer(o)) &&
          (o.status === OrderStatus.Completed || o.status === OrderStatus.Shipped) &&
          !w.services.claims.some((k) => k.orderId === o.id)
            ? [[n]]
            : [],
        )
      : [],
  async run(w, [n]) {
    const o = w.state.orders[Number(n)];
    return o !== undefined && (await callWrong(w, o.id, w.buyer(o)));
  },
};

/** Takes a task, opens its form and records so many skins. */
export async function readTask(w: World, staff: TestStaff, t: Task, skins: number): Promise<boolean> {
  await w.call(staff.client, c.staffInspectionClaim, { taskId: t.id });
  await w.call(staff.client, c.staffInspectionOpen, { taskId: t.id, reason: '登录核对' });
  const done = await w.call(staff.client, c.staffInspectionRecord, {
    taskId: t.id,
    details: { skins, clean: true } as never,
    pictures: (await w.staffProof(staff)) as never,
  });
  if (done) noteRead(w, t.goodsId, w.inspected.get(t.id));
  return done !== undefined;
}

const badRead: Action = {
  name: 'badRead',
  weight: 8,
  theme: 'reading',
  also: ['staff'],
  options: (w) =>
    w.setting.bad === 'service' && w.setting.badAssigned
      ? tasksWhere(w, (t) => t.status === 'queued').flatMap(([n]) => [
          [n ?? 0, SAID_SKINS],
          [n ?? 0, TRUE_SKINS],
        ])
      : [],
  async run(w, [n, skins]) {
    const t = w.services.tasks[Number(n)];
    const done = t !== undefined && (await readTask(w, w.market.staff.badService, t, Number(skins)));
    if (done) w.log(`A dishonest member of staff reads ${skins} skins.`);
    return done;
  },
};

/** The dishonest one decides on a claim, also on a reading of his own, or seconds what he has proposed himself. */
const badWrong: Action = {
  name: 'badWrong',
  weight: 5,
  theme: 'reading',
  also: ['staff'],
  options: (w) =>
    w.setting.bad === 'service'
      ? w.services.claims.flatMap((k, n) =>
          k.status === 'open' ? [[n, 'pay'], [n, 'refuse'], ...(k.draftId === null ? [] : [[n, 'second']])] : [],
        )
      : [],
  async run(w, [n, act]) {
    const k = w.services.claims[Number(n)];
    const { client } = w.market.staff.badService;
    if (!k) return false;
    const done =
      act === 'second'
        ? await w.call(client, c.staffWrongSecond, { claimId: k.id, draftId: k.draftId ?? 0, allow: true })
        : await w.call(client, c.staffWrongDecide, { claimId: k.id, pay: act === 'pay', note: '截图与验号结果不符' });
    if (done) w.log(`A dishonest member of staff does '${act}' on a claim on a reading.`);
    return done !== undefined;
  },
};

export const readingActions: readonly Action[] = [
  asking,
  again,
  sealing,
  correcting,
  taskBack,
  wrong,
  badRead,
  badWrong,
];

const once = (w: World, what: string): boolean => !w.tried.has(what) && w.tried.add(what).size > 0;

/** One thing that honest people have to do about inspections; whether there was one. */
export async function readingOnce(w: World): Promise<boolean> {
  if (!isReading(w)) return false;
  const { service, admin, finance, finance2 } = w.market.staff;
  const isBad = w.setting.bad === 'service' && w.setting.badAssigned;
  for (const t of w.services.tasks) {
    if (t.status === 'queued' && !isBad && once(w, `read:${t.id}`)) {
      // A person who has read an account before does not read it again.
      const staff = t.kind === 'again' ? admin : service;
      const done = await readTask(w, staff, t, TRUE_SKINS);
      if (done) w.log(`Honest staff read ${TRUE_SKINS} skins.`);
      if (done) return true;
    }
    if (t.status === 'review' && once(w, `review:${t.id}`)) {
      const allow = true;
      const other = t.staffId === finance.id ? service : admin;
      if (await w.call(other.client, c.staffInspectionSecond, { taskId: t.id, act: 'repay', allow })) return true;
    }
  }
  for (const o of w.state.orders)
    if (
      w.buyer(o) === 'hb' &&
      o.status === OrderStatus.Completed &&
      once(w, `wrong:${o.id}`) &&
      (await callWrong(w, o.id, 'hb'))
    )
      return true;
  for (const k of w.services.claims) {
    if (k.status !== 'open' || !once(w, `claim:${k.id}:${k.draftId ?? 0}`)) continue;
    const pay = !k.reading.startsWith(String(TRUE_SKINS));
    const note = pay ? '截图与验号结果不符' : '验号结果与登录所见一致';
    const { draftId } = k;
    if (draftId === null) await w.call(finance.client, c.staffWrongDecide, { claimId: k.id, pay, note });
    else await w.call(finance2.client, c.staffWrongSecond, { claimId: k.id, draftId, allow: pay });
    return true;
  }
  return false;
}
