import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { serviceQueryProblem } from '../rules/account-ids.ts';
import {
  BLACK_ACCOUNTS_MAX,
  blackKindNames,
  blackReasonNames,
  blackStatusNames,
  fakeKindNames,
} from '../rules/black.ts';
import {
  amount,
  int,
  json,
  listTail,
  money,
  optionalInt,
  optionalTyped,
  paging,
  sn,
  text,
  time,
  typed,
} from '#contract/wire.ts';
import { typedAccountId, typedContact } from '#contract/rules/texts/typed.ts';

/**
 * Checks whether a number is one of our customer-service numbers. queryType 1 QQ, 2 WeChat (product.md 7); 3 phone, 4 payee account, 5 group
 * (domain.md 7). The number is looked up by hash, and the response does not contain it.
 */
export const queryVerifyCustomer = endpoint({
  method: 'GET',
  path: '/api/cusSer/queryVerifyCustomer',
  auth: 'public',
  summary: '客服验真',
  input: z
    .object({
      queryType: int({ min: 1, max: 5, label: '查询类型' }),
      queryValue: typed(typedAccountId, text(60, { min: 1, label: '查询内容' })),
    })
    .superRefine((v, ctx) => {
      const problem = serviceQueryProblem(v.queryType, v.queryValue);
      if (problem !== null) ctx.addIssue({ code: 'custom', message: problem, path: ['queryValue'] });
    }),
  data: z.object({
    isReal: z.boolean(),
    /** 1 real, 2 false. */
    result: z.number().int(),
    /** The user of the number, when it is real. */
    name: z.string().nullable(),
    duty: z.string().nullable(),
    /** How many users checked a false number in the last 30 days. */
    askedCount: z.number().int(),
    blackSn: z.string().nullable(),
  }),
  limit: 'verify',
});

const names = <T extends Record<string, string>>(of: T) => Object.keys(of) as [keyof T & string];
const blackKind = z.enum(names(blackKindNames), { error: '账号类型不正确' });
const reason = z.enum(names(blackReasonNames), { error: '请选择举报原因' });

const blackItem = z.object({
  blackSn: z.string(),
  title: z.string(),
  reason,
  reasonName: z.string(),
  gameName: z.string(),
  amount: money.nullable(),
  /** Masked; a number can be found only by searching for it, not by reading the list. */
  accounts: z.array(z.object({ kind: blackKind, kindName: z.string(), mask: z.string() })),
  status: z.enum(names(blackStatusNames)),
  statusName: z.string(),
  views: z.number().int(),
  listTime: time.nullable(),
  expireTime: time.nullable(),
  createTime: time,
});

/** Blacklist result 1 listed, 2 clean, 0 unknown: the external service did not respond (product.md 4). */
export const blackCheck = endpoint({
  method: 'GET',
  path: '/api/black/blackCheck',
  auth: 'public',
  summary: '黑号查询',
  input: z.object({ content: text(60, { min: 1, label: '要查询的账号' }), kind: blackKind.optional() }),
  data: z.object({
    result: z.number().int(),
    list: z.array(blackItem.pick({ blackSn: true, title: true, reasonName: true, listTime: true, expireTime: true })),
    /** The sources that were queried: our own list, and the external one when it is enabled. */
    sources: z.array(z.object({ name: z.string(), result: z.number().int() })),
  }),
  limit: 'verify',
});

export const blackList = endpoint({
  method: 'GET',
  path: '/api/black/blackList',
  auth: 'public',
  summary: '黑号名单',
  input: z.object({ ...paging, reason: reason.optional(), gameId: optionalInt({ max: 1_000_000, label: '游戏' }) }),
  data: z.object({ list: z.array(blackItem), ...listTail }),
  limit: 'read',
});

const picture = z.object({ url: z.string(), thumb: z.string() });

/** The published text and pictures; the reporter and staff see more. */
export const blackInfo = endpoint({
  method: 'GET',
  path: '/api/black/blackInfo',
  auth: 'public',
  summary: '黑号记录',
  input: z.object({ blackSn: sn }),
  data: blackItem.extend({
    content: z.string(),
    pictures: z.array(picture),
    isMine: z.boolean(),
    reviewNote: z.string().nullable(),
    canAppeal: z.boolean(),
    appeal: z
      .object({
        status: z.enum(['reviewing', 'granted', 'refused']),
        answer: z.string().nullable(),
        answerByTime: time,
        createTime: time,
      })
      .nullable(),
    process: z.array(z.object({ text: z.string(), time })),
  }),
  idField: 'blackSn',
  limit: 'read',
});

/** The numbers that an entry of the blacklist names. */
export const blackAccounts = json(
  z
    .array(
      z.object({
        kind: blackKind,
        value: z.string().min(4, '账号至少 4 个字符').max(60, '账号不能超过 60 个字符'),
      }),
    )
    .min(1, '至少填写一个账号')
    .max(BLACK_ACCOUNTS_MAX, `最多填写 ${BLACK_ACCOUNTS_MAX} 个账号`),
  '账号',
);

/** A report with evidence; it is published only after a review, with an expiry date. */
export const releaseBlack = endpoint({
  method: 'POST',
  path: '/api/black/releaseBlack',
  auth: 'login',
  summary: '举报黑号',
  input: z.object({
    reason,
    title: text(60, { min: 4, label: '标题' }),
    content: text(2000, { min: 10, label: '经过' }),
    accounts: blackAccounts,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    amount: amount({ minFen: 1, label: '涉及金额' }).optional(),
    happenedDay: z
      .string()
      .regex(/^(\d{4}-\d{2}-\d{2})?$/, '日期格式不正确')
      .optional(),
    orderSn: sn.optional(),
    pictures: json(z.array(z.string().max(80)).min(1, '请至少上传一张凭证').max(9, '凭证最多 9 张'), '凭证'),
  }),
  data: z.object({ blackSn: z.string(), status: z.string() }),
  idempotent: true,
  limit: 'publish',
});

export const myBlackList = endpoint({
  method: 'GET',
  path: '/api/black/myBlackList',
  auth: 'login',
  summary: '我的举报',
  input: z.object({ ...paging }),
  data: z.object({ list: z.array(blackItem.extend({ reviewNote: z.string().nullable() })), ...listTail }),
  limit: 'read',
});

/** A person named in an entry can appeal; the appeal is decided by a different member of staff from the one who published it. */
export const appealBlack = endpoint({
  method: 'POST',
  path: '/api/black/appealBlack',
  auth: 'login',
  summary: '黑号申诉',
  input: z.object({
    blackSn: sn,
    content: text(2000, { min: 10, label: '申诉理由' }),
    pictures: json(z.array(z.string().max(80)).max(9, '凭证最多 9 张'), '凭证').default([]),
  }),
  data: z.object({ blackSn: z.string(), answerByTime: time }),
  idempotent: true,
  limit: 'publish',
});

/** Reports a false customer service; kind as in queryVerifyCustomer, plus links. */
export const reportFakeService = endpoint({
  method: 'POST',
  path: '/api/cusSer/reportFakeService',
  auth: 'public',
  summary: '举报假客服',
  input: z.object({
    kind: z.enum(names(fakeKindNames), { error: '账号类型不正确' }),
    value: text(120, { min: 4, label: '对方账号' }),
    content: text(500, { min: 5, label: '经过' }),
    contact: optionalTyped(typedContact, 40, '您的联系方式'),
    pictures: json(z.array(z.string().max(80)).max(6, '凭证最多 6 张'), '凭证').default([]),
  }),
  data: z.object({ received: z.boolean() }),
  limit: 'verify',
});
