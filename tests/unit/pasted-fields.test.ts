/** Every field of every call that holds a number or an id reads it in the forms in which people paste it. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/registry.ts';

/** A value, and how it is pasted. */
const FORMS = {
  phone: ['13800138000', '\u202a+86 138-0013-8000\u202c'],
  code: ['123456', ' １２３ 456\u200b'],
  qq: ['10001', '1 0001\u00a0'],
  wechat: ['wx_abc-12', ' wx_abc－12\u200b'],
  idCard: ['11010119900307777X', '110101 19900307 777x'],
  account: ['6222021234567890', '6222 0212-3456 7890'],
  contact: ['13800138000', '138 0013 8000'],
  mail: ['a@mail.example', ' ａ@mail.example\u200b'],
  amount: ['1288.5', ' ￥1,288.50元'],
  sn: ['YS8470738', 'YS 8470738\u00a0'],
  keyword: ['YS8470738', '\u200bＹＳ8470738\u00a0'],
} as const;

const KINDS: readonly (readonly [RegExp, keyof typeof FORMS])[] = [
  [/^(?:phone|contactPhone|seller|mobile)$/, 'phone'],
  [/^(?:smsCode|newSmsCode|emailCode)$/, 'code'],
  [/^qq$/, 'qq'],
  [/^weChat$/, 'wechat'],
  [/^idCard$/, 'idCard'],
  [/^account$/, 'account'],
  [/^contact$/, 'contact'],
  [/^email$/, 'mail'],
  [/^(?:amount|price|lotPrice|budget)$/, 'amount'],
  [/^(?:goodsSn|orderSn|dealSn)$/, 'sn'],
];

/** Fields of these names that hold something else, or stay strict. */
const OTHERS: Readonly<Record<string, string>> = {
  'POST /api/comm/client/sms phone': 'each accepted spelling costs a message (docs/decisions/545)',
  'POST /api/operation/wechat_play account': 'the display name of a WeChat',
};

/** Lists whose keyword may be a number; the others search texts alone. */
const NUMBERED =
  /\/(?:getGoodsList|selfPublishGoodsList|bargainingList|getWantGoodsList|rulings|boosting\/list|reviewList|reconcile\/differences|im\/groups|backstage\/(?:order|user|goods|claim|dispute|withdrawal|topup)s?\/list)$/;

const fields = endpoints.flatMap((endpoint) => {
  const shape = endpoint.input instanceof z.ZodObject ? (endpoint.input.shape as Record<string, z.ZodType>) : {};
  return Object.entries(shape).flatMap(([key, schema]) => {
    const isSearch = key === 'keyWord' && NUMBERED.test(endpoint.path);
    const kind = isSearch ? 'keyword' : KINDS.find(([pattern]) => pattern.test(key))?.[1];
    const name = `${endpoint.method} ${endpoint.path} ${key}`;
    return kind === undefined || name in OTHERS ? [] : [{ name, kind, schema }];
  });
});

test('fields of every kind are found', () => {
  expect(new Set(fields.map(({ kind }) => kind))).toEqual(new Set(Object.keys(FORMS)));
});

test.each(fields)('$name reads a pasted $kind', ({ kind, schema }) => {
  const [plain, pasted] = FORMS[kind];
  const expected = schema.safeParse(plain);
  const read = schema.safeParse(pasted);
  // A field with bounds of its own refuses both, with the same message.
  expect(read.success ? read.data : read.error.issues).toEqual(
    expected.success ? expected.data : expected.error.issues,
  );
});
