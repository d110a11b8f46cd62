/**
 * The calls that move or show money, field by field as the specification has them (product.md 3, 4, 7, 9; conventions.md, times and
 * amounts). A field that is renamed, changes its type or leaves its list of answers fails here.
 */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bindAccountNum } from '#subjects/verification/contract/payee.ts';
import { capitalManagement, getUserInviteCode, userInfo } from '#subjects/accounts/contract/user.ts';
import { distributeUserCoupon } from '#subjects/promotions/contract/coupon.ts';
import { depositPay } from '#subjects/payments/contract/deposit-pay.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import * as order from '#subjects/orders/contract/order.ts';
import * as pay from '#subjects/payments/contract/pay.ts';
import { endpoints } from '#contract/registry.ts';
import { DEFAULT_PAY_MODE } from '#contract/rules/amounts.ts';

/** A field's value on the wire. */
type Kind = 'money' | 'int' | 'text' | 'yes/no' | 'time' | 'list' | 'object';

interface Call {
  call: Endpoint;
  inputs: readonly string[];
  outputs: Readonly<Record<string, Kind>>;
}

const calls: readonly Call[] = [
  // The top-up form and its result.
  {
    call: pay.recPay,
    inputs: ['amount', 'deviceId', 'aliOrWx', 'payMode', 'orderId', 'returnUrl', 'payIndex'],
    outputs: { payRand: 'text', payInterSn: 'text', amount: 'money' },
  },
  { call: pay.queryPayStatus, inputs: ['payRand'], outputs: { status: 'int', payRand: 'text', payInterSn: 'text' } },
  { call: pay.findPayState, inputs: ['payInterSn'], outputs: { status: 'int', payRand: 'text', payInterSn: 'text' } },
  { call: pay.showPayUrl, inputs: ['payRand'], outputs: { payRand: 'text', amount: 'money', status: 'int' } },
  { call: pay.payMethodShow, inputs: [], outputs: { list: 'list', quickAmounts: 'list', defaultPayMode: 'int' } },
  { call: pay.balancePay, inputs: ['orderId'], outputs: { orderId: 'int', orderSn: 'text', status: 'int' } },
  {
    call: pay.cashAdvance,
    inputs: ['amount', 'accountType'],
    outputs: { withdrawSn: 'text', amount: 'money', status: 'int' },
  },
  {
    call: depositPay,
    inputs: ['level', 'deviceId', 'aliOrWx', 'payMode', 'returnUrl'],
    outputs: { status: 'int', amount: 'money', payment: 'object' },
  },
  {
    call: pay.bill,
    inputs: ['pages', 'pageSize', 'maxTime', 'minTime'],
    outputs: {
      'list[].amount': 'money',
      'list[].balanceAfter': 'money',
      'list[].time': 'time',
      balance: 'money',
      total: 'int',
    },
  },
  {
    call: distributeUserCoupon,
    inputs: ['code'],
    outputs: { coupon: 'object', 'coupon.amount': 'money', 'coupon.minimum': 'money' },
  },
  {
    call: capitalManagement,
    inputs: [],
    outputs: {
      coin: 'money',
      frozenCoin: 'money',
      depositCoin: 'money',
      income30: 'money',
      expense30: 'money',
      holds: 'list',
      'holds[].amount': 'money',
    },
  },
  { call: bindAccountNum, inputs: ['accountType', 'account', 'realName'], outputs: { accountMask: 'text' } },
  { call: getUserInviteCode, inputs: [], outputs: { inviteCode: 'text', rewardTotal: 'money' } },
  {
    call: userInfo,
    inputs: [],
    outputs: {
      userId: 'text',
      nickName: 'text',
      actor: 'text',
      unionNum: 'text',
      coin: 'money',
      inviteCode: 'text',
      sellGoodsNum: 'int',
      authStatus: 'int',
      isHadPhone: 'yes/no',
      isHadPassWord: 'yes/no',
      isPayPassWord: 'yes/no',
      isHadEmail: 'yes/no',
      aliAccount: 'text',
      wxAccount: 'text',
      bankAccount: 'text',
      isQuickShop: 'int',
      isBooster: 'int',
      isAccompanyer: 'int',
    },
  },
  {
    call: order.queryOrderList,
    inputs: [
      'status',
      'belong',
      'maxTime',
      'minTime',
      'pageSize',
      'pages',
      'goodsTypeId',
      'keyWord',
      'details',
      'isRecovery',
    ],
    outputs: {
      orderList: 'list',
      'orderList[].id': 'int',
      'orderList[].orderSn': 'text',
      'orderList[].orderTypeId': 'int',
      'orderList[].orderTypeName': 'text',
      'orderList[].gameId': 'int',
      'orderList[].bigTitle': 'text',
      'orderList[].details': 'text',
      'orderList[].unitPrice': 'money',
      'orderList[].totalPrice': 'money',
      'orderList[].ensurePrice': 'money',
      'orderList[].fixEnsurePrice': 'money',
      'orderList[].ensureId': 'int',
      'orderList[].fixEnsureId': 'int',
      'orderList[].isRecovery': 'int',
      'orderList[].goodsSn': 'text',
      'orderList[].goodsNum': 'int',
      'orderList[].payTime': 'time',
      'orderList[].status': 'int',
      'orderList[].statusName': 'text',
      'orderList[].thumbnail': 'text',
      'orderList[].userId': 'text',
    },
  },
  { call: order.confirmRecGoods, inputs: ['orderId'], outputs: { orderId: 'int', status: 'int' } },
];

const inside = (schema: z.core.$ZodType): z.core.$ZodType => {
  const { def } = schema._zod;
  return 'innerType' in def ? inside(def.innerType as z.core.$ZodType) : schema;
};

/** The schema at a path like `list[].amount` of a response. */
function at(schema: z.core.$ZodType, path: string): z.core.$ZodType | undefined {
  const here = inside(schema);
  const { def } = here._zod;
  if (path === '') return here;
  if (path.startsWith('[]'))
    return def.type === 'array' ? at((def as z.core.$ZodArrayDef).element, path.slice(2)) : undefined;
  const [, name = '', rest = ''] = /^\.?([^.[]+)(.*)$/.exec(path) ?? [];
  const field = def.type === 'object' ? (def as z.core.$ZodObjectDef).shape[name] : undefined;
  return field && at(field, rest);
}

function kindOf(schema: z.core.$ZodType | undefined): Kind | undefined {
  if (!schema) return undefined;
  const { type } = schema._zod.def;
  if (type === 'array') return 'list';
  if (type === 'object') return 'object';
  if (type === 'string') return 'text';
  if (type === 'boolean') return 'yes/no';
  if (type === 'number') return z.safeParse(schema, 1.5).success ? undefined : 'int';
  // Fen become yuan text, Dates the wire's form: what comes out tells them apart.
  if (z.safeParse(schema, 123_456).data === '1234.56') return 'money';
  return z.safeParse(schema, new Date(0)).data === '1970-01-01T08:00:00+08:00' ? 'time' : undefined;
}

test.each(calls.map((c) => [c.call.path, c] as const))(
  '%s has the specified input and output',
  (_path, { call, inputs, outputs }) => {
    const { shape } = call.input as z.ZodObject;
    expect(inputs.filter((field) => !(field in shape))).toEqual([]);
    const found = Object.fromEntries(Object.keys(outputs).map((path) => [path, kindOf(at(call.data, path))]));
    expect(found).toEqual(outputs);
  },
);

test('the top-up form is accepted as the specified client sends it', () => {
  const sent = {
    amount: '100',
    deviceId: 'pc',
    aliOrWx: '2',
    payMode: '15',
    orderId: '',
    returnUrl: '/center',
    payIndex: '0',
  };
  expect(pay.recPay.input.parse(sent)).toMatchObject({ amount: 10_000, aliOrWx: 2, payMode: 15, returnUrl: '/center' });
  expect(pay.recPay.input.parse({ amount: '500' })).toMatchObject({ aliOrWx: 1, payMode: DEFAULT_PAY_MODE });
  expect(DEFAULT_PAY_MODE).toBe(15);
  for (const returnUrl of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/%2f',
    '/a b',
  ])
    expect(pay.recPay.input.safeParse({ amount: '500', returnUrl }).success, returnUrl).toBe(false);
});

test('a field named like money is yuan text in every response, never fen', () => {
  const named =
    /(amount|price|coin|balance|fee|premium|deposit|refundable|refunded|reward|income|expense|budget|net)$/i;
  const wrong: string[] = [];
  const visit = (schema: z.core.$ZodType, path: string, depth: number): void => {
    const here = inside(schema);
    const { def } = here._zod;
    if (depth > 8) return;
    if (def.type === 'array') visit((def as z.core.$ZodArrayDef).element, `${path}[]`, depth + 1);
    if (def.type !== 'object') return;
    for (const [name, field] of Object.entries((def as z.core.$ZodObjectDef).shape)) {
      const kind = kindOf(inside(field));
      if (named.test(name) && (kind === 'int' || inside(field)._zod.def.type === 'number'))
        wrong.push(`${path}.${name}`);
      visit(field, `${path}.${name}`, depth + 1);
    }
  };
  for (const e of endpoints) visit(e.data, e.path, 0);
  expect(wrong).toEqual([]);
});
