import { dayOf } from '#contract/rules/time/china-time.ts';
import { z } from 'zod';
import { PAY_METHODS } from '../rules/payer-browser.ts';
import { MAX_ALI_OR_WX } from '../rules/pay-channels.ts';
import { endpoint } from '#contract/endpoint.ts';
import { DEFAULT_PAY_MODE } from '#contract/rules/amounts.ts';
import { billGroups } from '#subjects/ledger/rules/bill.ts';
import { typedSn } from '#contract/rules/texts/typed.ts';
import {
  amount,
  int,
  listTail,
  money,
  optionalCode,
  optionalInt,
  optionalText,
  optionalTyped,
  paging,
  time,
} from '#contract/wire.ts';

export { chooseRefundTarget, refundInfo, refundToSource } from './refund.ts';

export const payRand = z.string({ error: '支付单号不能为空' }).regex(/^[A-Za-z0-9_-]{8,64}$/, '支付单号不正确');
const payPassword = z.string().max(64).optional();
/** Only a path inside the site: no host, no backslash, no escape (reliability.md b.21). */
const returnUrl = z
  .string()
  .max(200)
  .regex(/^(\/(?![/\\])[\w\-/?=&.]*)?$/, '返回地址不正确')
  .optional();

export const balancePay = endpoint({
  method: 'POST',
  path: '/api/pay/balancePay',
  auth: 'login',
  summary: '用余额支付订单',
  input: z.object({ orderId: int({ min: 1, label: '订单内部编号' }), payPassword }),
  data: z.object({ orderId: z.number().int(), orderSn: z.string(), status: z.number().int() }),
  idempotent: true,
  limit: 'pay',
});

/**
 * Creates a payment: a top-up, or with `orderId` the payment of an order by a channel, from the balance first when `useBalance` is 1
 * (product.md 3, top-up form). aliOrWx 1 Alipay, 2 WeChat; the demo market's channel replaces both. payMode 15 is the method that suits the
 * browser: a QR on a computer, the channel's app from a phone's browser, WeChat's dialog inside WeChat; 16 the channel's page on a computer,
 * 17 from a phone's browser, 18 inside WeChat. A mode that the channel does not offer counts as 15.
 */
export const recPay = endpoint({
  method: 'POST',
  path: '/api/pay/recPay',
  auth: 'login',
  summary: '创建支付（充值或订单）',
  input: z.object({
    amount: amount({ minFen: 1, maxFen: 5_000_000, label: '充值金额' }).optional(),
    aliOrWx: int({ min: 1, max: MAX_ALI_OR_WX, label: '支付方式' }).default(1),
    payMode: int({ min: 0, max: 99, label: '支付模式' }).default(DEFAULT_PAY_MODE),
    deviceId: optionalText(80),
    orderId: optionalInt({ label: '订单内部编号' }),
    useBalance: optionalInt({ max: 1, label: '余额抵扣' }),
    payPassword,
    returnUrl,
    payIndex: optionalInt({ max: 99 }),
    openId: optionalText(64),
    /** The top-up payment that this one replaces: it is closed first, and only one of the two counts. */
    instead: payRand.optional(),
  }),
  data: z.object({
    payRand: z.string(),
    payInterSn: z.string(),
    payUrl: z.string(),
    qrText: z.string(),
    qrSvg: z.string(),
    amount: money,
    channel: z.string(),
    /** How the payer gets to the channel; `qrSvg` is empty unless there is a code to scan. */
    way: z.enum(PAY_METHODS),
    /** Where a payer on a phone continues: the cashier's page, which opens the channel. Null when a code is scanned. */
    goUrl: z.string().nullable(),
    /** The channel's own page (payModes 16 and 17). */
    jumpUrl: z.string().nullable(),
    /** The parameters of WeChat's JSAPI call (payMode 18). */
    jsapi: z.record(z.string(), z.string()).nullable(),
    expireTime: time,
  }),
  idempotent: true,
  limit: 'topup',
});

const payState = z.object({
  status: z.number().int(),
  amount: money,
  payRand: z.string(),
  payInterSn: z.string(),
  orderSn: z.string().nullable(),
});

/** data.status 1 = paid, 0 = waiting, 2 = closed, 3 = paid after its order had been closed, being refunded. */
export const queryPayStatus = endpoint({
  method: 'GET',
  path: '/api/pay/queryPayStatus',
  auth: 'login',
  summary: '按 payRand 查询支付状态',
  input: z.object({ payRand }),
  data: payState,
  idField: 'payRand',
  limit: 'read',
});

/**
 * The same by our number, as the specified client polls WeChat Pay: code 0 means paid (product.md 4), PAY_WAITING and
 * PAY_CLOSED mean that it is not.
 */
export const findPayState = endpoint({
  method: 'GET',
  path: '/api/pay/findPayState',
  auth: 'login',
  summary: '按 payInterSn 查询支付状态',
  input: z.object({
    payInterSn: z.string({ error: '支付流水号不能为空' }).regex(/^[A-Za-z0-9]{8,64}$/, '支付流水号不正确'),
  }),
  data: payState,
  idField: 'payInterSn',
  limit: 'read',
});

/** The payment behind a QR: enough to show it, without its owner. */
export const showPayUrl = endpoint({
  method: 'GET',
  path: '/api/pay/showPayUrl',
  auth: 'public',
  summary: '支付二维码背后的页面信息',
  input: z.object({ payRand }),
  data: z.object({
    payRand: z.string(),
    amount: money,
    subject: z.string(),
    status: z.number().int(),
    channel: z.string(),
    expireTime: time,
    sandbox: z.boolean(),
  }),
  idField: 'payRand',
  limit: 'read',
});

/** The sandbox channel's two buttons. Exists only while the sandbox is a provider; responds after the sandbox's notification was processed. */
export const sandboxPress = endpoint({
  method: 'POST',
  path: '/api/pay/sandboxPress',
  auth: 'public',
  summary: '沙箱渠道：模拟付款成功或失败',
  input: z.object({ payRand, act: z.enum(['pay', 'fail'], { error: '操作不正确' }) }),
  data: z.object({ status: z.number().int(), acknowledged: z.boolean() }),
  limit: 'write',
});

export const payMethodShow = endpoint({
  method: 'GET',
  path: '/api/pay/payMethodShow',
  auth: 'public',
  summary: '可用支付方式',
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        aliOrWx: z.number().int(),
        channel: z.string(),
        name: z.string(),
        note: z.string(),
        /** The payment method in the caller's browser. */
        way: z.enum(PAY_METHODS),
        /** It cannot be paid inside the app of this browser; the cashier's page explains how to leave the app. */
        mustLeave: z.boolean(),
        payModes: z.array(z.number().int()),
      }),
    ),
    quickAmounts: z.array(money),
    defaultPayMode: z.number().int(),
    minimum: money,
    maximum: money,
  }),
  limit: 'read',
});

/**
 * The terms of a withdrawal, shown before it is requested: fee, arrival time, amounts on hold and until when, and
 * required proofs. An SMS code is needed from `smsFrom` on (amounts requested within the last day are already deducted)
 * and for a payee that `isChanged`.
 */
export const withdrawTerms = endpoint({
  method: 'GET',
  path: '/api/pay/withdrawTerms',
  auth: 'login',
  summary: '提现须知：费用、到账时间、验证方式',
  input: z.object({}),
  data: z.object({
    fee: money,
    wait: z.object({ until: time, reason: z.string() }).nullable(),
    smsFrom: money,
    payees: z.array(
      z.object({
        accountType: z.string(),
        accountMask: z.string(),
        isChanged: z.boolean(),
        usableFrom: time.nullable(),
      }),
    ),
    /** The kinds of account that withdrawals can go to, including disabled ones. */
    ways: z.array(
      z.object({
        accountType: z.enum(['alipay', 'wechat', 'bank']),
        name: z.string(),
        isOpen: z.boolean(),
        /** When money arrives by it; '' for a disabled one. */
        arrival: z.string(),
        /** The payee is the WeChat account bound to the user, so the form has no field for it. */
        isBoundAccount: z.boolean(),
      }),
    ),
  }),
  limit: 'read',
});

export const cashAdvance = endpoint({
  method: 'POST',
  path: '/api/pay/cashAdvance',
  auth: 'login',
  summary: '申请提现',
  input: z.object({
    amount: amount({ minFen: 1000, maxFen: 5_000_000, label: '提现金额' }),
    accountType: z.enum(['alipay', 'wechat', 'bank'], { error: '账户类型不正确' }).default('alipay'),
    payPassword,
    /** Required for large amounts and for a payee without an earlier payout (SMS_REQUIRED); purpose `payout`. */
    smsCode: optionalCode,
    reqId: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, '请求编号不正确')
      .optional(),
  }),
  data: z.object({ withdrawSn: z.string(), status: z.number().int(), amount: money }),
  idempotent: true,
  limit: 'withdraw',
});

/**
 * How the payee accepts a withdrawal: inside WeChat in its own dialog (requestMerchantTransfer with `fields`), elsewhere by opening this
 * site's page there. Only a computer gets a code to scan: a phone cannot scan its own screen.
 */
export const acceptWithdrawal = endpoint({
  method: 'POST',
  path: '/api/pay/acceptWithdrawal',
  auth: 'login',
  summary: '在微信里确认收款',
  input: z.object({
    withdrawSn: z.string({ error: '提现编号不能为空' }).regex(/^[A-Za-z0-9-]{1,32}$/, '提现编号不正确'),
  }),
  data: z.object({
    place: z.enum(['desktop', 'phone', 'wechat', 'alipay']),
    /** null outside WeChat. */
    fields: z.record(z.string(), z.string()).nullable(),
    pageUrl: z.string(),
    /** null except on a computer. */
    qrSvg: z.string().nullable(),
  }),
  limit: 'read',
});

export const withdrawList = endpoint({
  method: 'GET',
  path: '/api/pay/withdrawList',
  auth: 'login',
  summary: '提现记录',
  input: z.object({ ...paging }),
  data: z.object({
    list: z.array(
      z.object({
        withdrawSn: z.string(),
        amount: money,
        fee: money,
        accountName: z.string(),
        accountMask: z.string(),
        status: z.number().int(),
        statusName: z.string(),
        /** How and when the money arrives; null once the withdrawal has ended. */
        arrival: z.string().nullable(),
        /** The payee must accept the money in WeChat (acceptWithdrawal). */
        isAccepting: z.boolean(),
        note: z.string().nullable(),
        createTime: time,
        paidTime: time.nullable(),
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});

export const billKinds = ['available', 'frozen', 'deposit'] as const;

const day = (label: string) =>
  z
    .string()
    .transform((text, ctx) => {
      if (text === '') return undefined;
      const found = dayOf(text);
      if (found === null) ctx.addIssue({ code: 'custom', message: `${label}不正确，应为 2026-01-31 的形式` });
      return found ?? z.NEVER;
    })
    .optional();

const billFilter = {
  account: z.enum(billKinds, { error: '账户不正确' }).default('available'),
  direction: z.enum(['in', 'out'], { error: '方向不正确' }).optional(),
  kind: z.enum(billGroups, { error: '类型不正确' }).optional(),
  /** Days of China, both inclusive. */
  minTime: day('开始日期'),
  maxTime: day('结束日期'),
  orderSn: optionalTyped(typedSn, 32, '订单编号'),
};

/** Input of the bill's CSV download at /api/pay/billExport, which returns text without the envelope. */
export const billExportInput = z.object(billFilter);

/** The account's entries with the balance after each, newest first. */
export const bill = endpoint({
  method: 'GET',
  path: '/api/pay/bill',
  auth: 'login',
  summary: '账单',
  input: z.object({
    ...paging,
    ...billFilter,
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        code: z.string(),
        title: z.string(),
        explain: z.string(),
        amount: money,
        balanceAfter: money,
        orderSn: z.string().nullable(),
        /** The number of the withdrawal, refund or channel payment. */
        number: z.string().nullable(),
        time,
      }),
    ),
    balance: money,
    ...listTail,
  }),
  limit: 'read',
});

/** Income and expenses by day and by kind; by default the last 30 days, at most a year. */
export const billStats = endpoint({
  method: 'GET',
  path: '/api/pay/billStats',
  auth: 'login',
  summary: '收支统计',
  input: z.object({ account: billFilter.account, minTime: billFilter.minTime, maxTime: billFilter.maxTime }),
  data: z.object({
    minTime: z.string(),
    maxTime: z.string(),
    income: money,
    expense: money,
    /** Every day of the range, oldest first, including days without movement. */
    days: z.array(z.object({ day: z.string(), income: money, expense: money })),
    kinds: z.array(z.object({ kind: z.string(), name: z.string(), income: money, expense: money })),
  }),
  limit: 'read',
});
