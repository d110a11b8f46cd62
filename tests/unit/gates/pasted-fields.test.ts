/** Every field of every call that holds a number or an id reads it in the forms in which people paste it. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/registry.ts';

/** A value, and how it is pasted. */
const FORMS = {
  phone: [
    '13800138000',
    '\u202a+86 138-0013-8000\u202c',
    '0086 138 0013 8000',
    '\ufeff８６１３８００１３８０００',
    '(+86)138\u00a00013\u00a08000',
    '013800138000',
    '手机：138·0013·8000',
    'tel:13800138000\n',
    '\u202d1\ufe0f\u20e3\u202c3800138000',
  ],
  code: ['123456', ' １２３ 456\u200b', '123-456', '\u202d123456\u202c', '\ufeff123\u2009456\t', '𝟏𝟐𝟑456'],
  qq: ['10001', '1 0001\u00a0', '１０００１', '\u202d10001\u202c', '1000\u20111\ufeff'],
  wechat: ['wx_abc-12', ' wx_abc－12\u200b', '\u202dwx_abc-12\u202c', '\ufeffｗｘ_abc-12\n'],
  idCard: [
    '11010119900307777X',
    '110101 19900307 777x',
    '110101-19900307-777Ｘ',
    '\u202d11010119900307777×\u202c',
    '１１０１０１19900307777X\ufeff',
  ],
  account: [
    '6222021234567890',
    '6222 0212-3456 7890',
    '６２２２0212\u00a034567890',
    '\u202d6222021234567890\u202c\ufffc',
  ],
  contact: ['13800138000', '138 0013 8000', '+86 13800138000', '\u202d138-0013-8000\u202c', '１３８００１３８０００'],
  mail: ['a@mail.example', ' ａ@mail.example\u200b', 'a＠mail．example', '\u202aa@mail.example\u202c\u00a0'],
  amount: [
    '1288.5',
    ' ￥1,288.50元',
    '１，２８８．５０',
    'RMB 1 288.50',
    '¥\u00a01288.5\u200b',
    '1288.50 元整',
    '人民币1288.5',
  ],
  sn: ['YS8470738', 'YS 8470738\u00a0', '\u202dＹＳ８４７０７３８\u202c', '\ufeffYS8470738\t'],
  keyword: ['YS8470738', '\u200bＹＳ8470738\u00a0', '\u202dYS8470738\u202c\ufffc'],
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
  [/^(?:amount|price|lotPrice|budget|wantAmount)$/, 'amount'],
  [/^(?:goodsSn|orderSn|dealSn)$/, 'sn'],
];

/** Fields of these names that hold something else, or stay strict. */
const OTHERS: Readonly<Record<string, string>> = {
  'POST /api/comm/client/sms phone': 'each accepted spelling costs a message (docs/decisions/545)',
  'POST /api/operation/wechat_play account': 'the display name of a WeChat',
};

/** Lists whose keyword may be a number; the others search only texts. */
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
  const [plain, ...forms] = FORMS[kind];
  const expected = schema.safeParse(plain);
  for (const pasted of forms) {
    const read = schema.safeParse(pasted);
    // A field with its own bounds refuses both, with the same message.
    expect(read.success ? read.data : read.error.issues, pasted).toEqual(
      expected.success ? expected.data : expected.error.issues,
    );
  }
});

/** Names under which a call takes a number or an id that is typed by hand. */
const LOOKS_TYPED = /phone|mobile|sms|code$|^qq|wechat|^wx|idcard|cardno|bankcard|email|amount|price$|money|budget/i;
/** Fields whose names look like it and that are no such value. */
const NOT_TYPED =
  /^(?:inviteCode|distCode|code|statusCode|phoneType|payCode|countryCode|gameCode|errorCode|cityCode|minPrice|maxPrice|shownPrice|authCode|startPrice|endPrice|priceSort|amountType)$/i;

test('no field that looks like one of these is left out', () => {
  const covered = new Set(fields.map(({ name }) => name));
  const left = endpoints.flatMap((endpoint) => {
    const shape = endpoint.input instanceof z.ZodObject ? (endpoint.input.shape as Record<string, z.ZodType>) : {};
    return Object.entries(shape).flatMap(([key, schema]) => {
      const name = `${endpoint.method} ${endpoint.path} ${key}`;
      const isText = schema.safeParse('13800138000').success || schema.safeParse('123456').success;
      return LOOKS_TYPED.test(key) && !NOT_TYPED.test(key) && !covered.has(name) && !(name in OTHERS) && isText
        ? [name]
        : [];
    });
  });
  expect(left).toEqual([]);
});
