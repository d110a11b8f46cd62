import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { linkNames, type LinkReason } from '../rules/links.ts';
import { flag, money, nothing, text, time } from '#contract/wire.ts';

/**
 * The page of one user in the back office. Parts that the caller may not see are null, and their calls are rejected.
 */

const userId = z.string({ error: '用户编号不能为空' }).regex(/^\d{1,15}$/, '用户编号不正确');
const linkKinds = Object.keys(linkNames) as [LinkReason, ...LinkReason[]];
const person = z.object({ userId: z.string(), nickName: z.string(), avatar: z.string() });

/** The user's identity, masked; a warning if any; and the counts of all records. */
export const personHead = staffRead('/api/backstage/user/person', '用户详情', {
  input: z.object({ userId }),
  data: z.object({
    ...person.shape,
    unionNum: z.string(),
    phoneMask: z.string(),
    authStatus: z.number().int(),
    realNameMask: z.string().nullable(),
    idMask: z.string().nullable(),
    isAdult: z.boolean().nullable(),
    verifyTime: time.nullable(),
    status: z.number().int(),
    sellerLevel: z.number().int(),
    levelName: z.string(),
    soldNum: z.number().int(),
    /** Percent; null without ratings. */
    goodRate: z.number().nullable(),
    roles: z.array(z.object({ name: z.string(), isApproved: z.boolean(), statusName: z.string() })),
    distName: z.string(),
    inviter: person.nullable(),
    debt: money,
    /** The time until which payouts are delayed, and the reason. */
    payoutWait: z.object({ until: time, reason: z.string() }).nullable(),
    createTime: time,
    lastSeenTime: time,
    closeTime: time.nullable(),
    /** A sentence that explains why staff should check the user, and where. */
    alert: z
      .object({
        text: z.string(),
        to: z.enum(['links', 'money', 'withdrawals']),
        isSerious: z.boolean(),
      })
      .nullable(),
    counts: z.object({
      sold: z.number().int().nullable(),
      bought: z.number().int().nullable(),
      goods: z.number().int(),
      notes: z.number().int(),
    }),
  }),
});

/** Maximum number of users in one call of `personOpenable`. */
export const MAX_OPENABLE = 200;

/** The users among these whose page the caller may open: staff of a brand may only open users of their own site. */
export const personOpenable = staffRead('/api/backstage/user/openable', '可查看的用户', {
  mayLag: true,
  input: z.object({
    userIds: z
      .string({ error: '用户编号不能为空' })
      .max(MAX_OPENABLE * 16, '用户过多')
      .regex(/^\d{1,15}(,\d{1,15})*$/, '用户编号不正确')
      .transform((typed) => typed.split(',').map(Number))
      .refine((ids) => ids.length <= MAX_OPENABLE, '用户过多'),
  }),
  data: z.object({ userIds: z.array(z.string()) }),
});

/**
 * Balances, and the movements since a day by purpose: opening + in - out = closing, to the fen, over all accounts of the user (available,
 * frozen, deposit, rewards that are not due). Movements between two of these accounts are in neither sum. Staff of a distributor see the
 * movements, debts, withdrawals and payout accounts of their own site.
 */
export const personMoney = staffRead('/api/backstage/user/personMoney', '用户的资金', {
  input: z.object({ userId, range: z.enum(['90', 'all']).default('90') }),
  data: z.object({
    /** Payments of buyers for goods in hand-over; the money is on the accounts of the orders, not on the user's. */
    escrow: z.object({ orders: z.number().int(), totalCapped: z.boolean(), amount: money }),
    /** The user's current balances over all sites; null for staff of a distributor. */
    balances: z
      .object({
        available: money,
        frozen: money,
        deposit: money,
        maturing: money,
        holds: z.object({ count: z.number().int(), nextTime: time.nullable() }),
      })
      .nullable(),
    debt: money,
    withdrawn: z.object({ count: z.number().int(), amount: money, accountMask: z.string().nullable() }),
    line: z.object({
      fromDay: z.string().nullable(),
      opening: money,
      parts: z.array(z.object({ group: z.string(), name: z.string(), in: money, out: money })),
      closing: money,
    }),
    /** Available plus frozen balance at the end of each day, and that day's events. */
    days: z.array(z.object({ day: z.string(), balance: money, withdrawals: z.number().int() })),
    payees: z.array(
      z.object({
        payeeId: z.number().int(),
        kindName: z.string(),
        mask: z.string(),
        isCurrent: z.boolean(),
        usableTime: time,
        createTime: time,
        removeTime: time.nullable(),
        paidNum: z.number().int(),
        paid: money,
      }),
    ),
    withdrawals: z.array(
      z.object({
        withdrawSn: z.string(),
        amount: money,
        kindName: z.string(),
        mask: z.string(),
        status: z.number().int(),
        statusName: z.string(),
        createTime: time,
        paidTime: time.nullable(),
        note: z.string().nullable(),
      }),
    ),
  }),
});

/** The newest orders of one side, with figures of the last two hundred. */
export const personOrders = staffRead('/api/backstage/user/personOrders', '用户的订单', {
  input: z.object({ userId, side: z.enum(['sold', 'bought']) }),
  data: z.object({
    figures: z.object({
      orders: z.number().int(),
      done: z.number().int(),
      cancelled: z.number().int(),
      disputed: z.number().int(),
      linked: z.number().int(),
      /** The median from payment to shipping, in minutes. */
      shipMinutes: z.number().int().nullable(),
    }),
    list: z.array(
      z.object({
        orderSn: z.string(),
        typeId: z.number().int(),
        gameName: z.string(),
        title: z.string(),
        other: z.object({ userId: z.string(), nickName: z.string() }),
        isLinked: z.boolean(),
        total: money,
        status: z.number().int(),
        statusName: z.string(),
        disputed: z.boolean(),
        deadline: time.nullable(),
        createTime: time,
      }),
    ),
  }),
});

/**
 * One reason that links the user to others: the shared thing, how often it was used, and who marked the link as
 * meaningless.
 */
const reason = z.object({
  key: z.string(),
  kind: z.enum(linkKinds),
  kindName: z.string(),
  /** The shared thing for display: a browser's short code, a masked payee. */
  label: z.string(),
  strength: z.enum(['strong', 'medium', 'weak']),
  evidence: z.string(),
  users: z.array(z.string()),
  mark: z.object({ userId: z.string(), reason: z.string(), staffName: z.string(), time }).array(),
});
export type PersonLinkReason = z.output<typeof reason>;

/**
 * Other users linked by a browser, a payee, a network or an invitation (decision 110): at most eleven, strongest link
 * first.
 */
export const personLinks = staffRead('/api/backstage/user/personLinks', '用户的关联', {
  input: z.object({ userId }),
  data: z.object({
    people: z.array(
      z.object({
        ...person.shape,
        status: z.number().int(),
        role: z.string(),
        createTime: time,
        /** Completed orders between the two, in both directions. */
        sold: z.object({ orders: z.number().int(), amount: money }),
        bought: z.object({ orders: z.number().int(), amount: money }),
      }),
    ),
    /** Linked users beyond those that are listed. */
    others: z.number().int(),
    reasons: z.array(reason),
    /** Networks that more than eight people use: public ones, which link no users. */
    publicNetworks: z.number().int(),
  }),
});

const row = z.object({ sn: z.string(), title: z.string(), statusName: z.string(), note: z.string(), time });

/** Other records; each list contains only the newest ones. */
export const personRecords = staffRead('/api/backstage/user/personRecords', '用户的商品、申诉、设备与备注', {
  input: z.object({ userId }),
  data: z.object({
    goods: z.array(row.extend({ price: money })).nullable(),
    disputes: z.array(row).nullable(),
    claims: z.array(row).nullable(),
    reviews: z
      .array(z.object({ orderSn: z.string(), isOwn: z.boolean(), score: z.number().int(), content: z.string(), time }))
      .nullable(),
    notices: z.array(z.object({ title: z.string(), body: z.string(), isRead: z.boolean(), time })),
    sessions: z.array(
      z.object({
        sessionId: z.string(),
        device: z.string(),
        network: z.string(),
        createTime: time,
        lastSeenTime: time,
      }),
    ),
    browsers: z.array(z.object({ code: z.string(), sharedWith: z.number().int(), firstTime: time, lastTime: time })),
    notes: z.array(z.object({ text: z.string(), staffName: z.string(), time })),
    actions: z.array(z.object({ actName: z.string(), detail: z.string(), staffName: z.string(), time })).nullable(),
  }),
});

/** Reveals a masked field; each reveal is audited and counted. */
export const personUnmask = staffWrite('/api/backstage/user/unmask', '查看用户完整资料', {
  input: z.object({ userId, field: z.enum(['phone', 'realName'], { error: '请选择要查看的资料' }) }),
  data: z.object({ value: z.string() }),
  limit: 'read',
});

/** Adds a note that staff read on the user's page. */
export const personNote = staffWrite('/api/backstage/user/note', '给用户加备注', {
  input: z.object({ userId, text: text(500, { min: 1, label: '备注' }) }),
  data: nothing,
});

/** Marks a link between two users as meaningless, with a reason, or removes the mark. */
export const personLinkMark = staffWrite('/api/backstage/user/markLink', '关联标为无关', {
  input: z.object({
    userId,
    otherId: userId,
    kind: z.enum(linkKinds, { error: '关联种类不正确' }),
    isUnrelated: flag,
    reason: text(200, { min: 1, label: '原因' }),
  }),
  data: nothing,
});

/** Ends one session of the user, or all of them. */
export const personSignOut = staffWrite('/api/backstage/user/signOut', '让用户退出登录', {
  input: z.object({ userId, sessionId: z.string().max(40).optional(), reason: text(200, { min: 1, label: '原因' }) }),
  data: z.object({ ended: z.number().int() }),
});
