import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { typedKeyword } from '#contract/rules/texts/typed.ts';
import {
  amount,
  flag,
  json,
  listTail,
  money,
  nothing,
  optionalInt,
  optionalText,
  paging,
  sn,
  text,
  time,
  optionalTyped,
} from '#contract/wire.ts';

/** A field of a reason's form (table dispute_reason): which party fills it in, and its kind. */
export const disputeField = z.object({
  key: z.string(),
  label: z.string(),
  kind: z.enum(['text', 'choice', 'yes_no', 'amount', 'time']),
  options: z.array(z.string()).optional(),
  side: z.enum(['buyer', 'seller', 'both']),
  required: z.boolean(),
});
export type DisputeField = z.output<typeof disputeField>;

const picture = z.object({ url: z.string(), thumb: z.string() });
const answersInput = json(
  z
    .record(z.string().max(40), z.string().max(200, '单项说明不能超过 200 个字'))
    .refine((v) => Object.keys(v).length <= 12, '表单内容过多'),
  '表单',
).default({});
const picturesIn = json(z.array(z.string().max(80)).max(6, '最多 6 张图片'), '凭证').default([]);
const statement = text(1000, { min: 5, label: '说明' });

/**
 * What a user needs to open a dispute: the order, whether a dispute can be opened now and if not why, the available
 * reasons with their forms.
 */
export const disputeEntry = endpoint({
  method: 'GET',
  path: '/api/dispute/door',
  auth: 'login',
  summary: '发起申诉前：可选原因与表单',
  input: z.object({ orderSn: sn }),
  data: z.object({
    orderSn: z.string(),
    bigTitle: z.string(),
    goodsPrice: money,
    totalPrice: money,
    status: z.number().int(),
    statusName: z.string(),
    viewer: z.enum(['buyer', 'seller']),
    /** Why no dispute can be opened now; null = one can. */
    closed: z.string().nullable(),
    /** Number of this order's open dispute. */
    openSn: z.string().nullable(),
    /** End of the protection period, for a completed order. */
    protectedUntil: time.nullable(),
    answerHours: z.number(),
    reasons: z.array(
      z.object({ code: z.string(), name: z.string(), evidence: z.string(), form: z.array(disputeField) }),
    ),
    wants: z.array(z.object({ key: z.string(), name: z.string(), explain: z.string(), takesAmount: z.boolean() })),
  }),
  limit: 'read',
});

/**
 * Stops the order's timers and its hold until the dispute is closed. wantAmount is a part of the listing's price, for
 * part_refund.
 */
export const openDispute = endpoint({
  method: 'POST',
  path: '/api/dispute/open',
  auth: 'login',
  summary: '发起申诉',
  input: z.object({
    orderSn: sn,
    reason: z.string({ error: '请选择原因' }).regex(/^[a-z_]{2,40}$/, '请选择原因'),
    want: z.enum(['refund', 'part_refund', 'continue', 'redo', 'release', 'other'], { error: '请选择诉求' }),
    wantAmount: amount({ label: '退款金额' }).optional(),
    answers: answersInput,
    text: statement,
    pictures: picturesIn,
  }),
  data: z.object({ disputeSn: z.string() }),
  idempotent: true,
  limit: 'write',
});

const item = z.object({
  disputeSn: z.string(),
  orderSn: z.string(),
  bigTitle: z.string(),
  gameName: z.string(),
  orderTypeId: z.number().int(),
  orderTypeName: z.string(),
  thumbnail: z.string(),
  goodsPrice: money,
  totalPrice: money,
  reasonName: z.string(),
  want: z.string(),
  wantName: z.string(),
  wantAmount: money.nullable(),
  status: z.string(),
  statusName: z.string(),
  outcome: z.string().nullable(),
  /** The outcome as text; null while the dispute is open. */
  outcomeName: z.string().nullable(),
  viewer: z.enum(['buyer', 'seller']),
  /** The viewer opened it. */
  mine: z.boolean(),
  /** The pending step of the dispute and its deadline. */
  waits: z.string(),
  deadline: time.nullable(),
  refunded: money.nullable(),
  toSeller: money.nullable(),
  openTime: time,
  closeTime: time.nullable(),
});
export type DisputeItem = z.output<typeof item>;

export const disputeList = endpoint({
  method: 'GET',
  path: '/api/dispute/list',
  auth: 'login',
  summary: '我的申诉',
  input: z.object({ ...paging, state: z.enum(['open', 'closed'], { error: '状态不正确' }).optional() }),
  data: z.object({
    list: z.array(item),
    counts: z.object({ open: z.number().int(), closed: z.number().int() }),
    ...listTail,
  }),
  limit: 'read',
});

const rule = z.object({ no: z.string(), title: z.string(), body: z.string() });

/** A complete dispute: the parts that are the same for both parties and staff. */
export const disputeCase = item.extend({
  /** The traded goods as they were when the order was placed: area and server, attributes, quantity. */
  facts: z.array(z.object({ label: z.string(), value: z.string() })),
  clocks: z.array(
    z.object({
      key: z.string(),
      name: z.string(),
      at: time,
      doneTime: time.nullable(),
      state: z.enum(['waiting', 'done', 'late', 'off']),
    }),
  ),
  statements: z.array(
    z.object({
      side: z.enum(['buyer', 'seller']),
      name: z.string(),
      kind: z.enum(['form', 'evidence', 'appeal']),
      answers: z.array(z.object({ label: z.string(), value: z.string() })),
      text: z.string(),
      pictures: z.array(picture),
      time,
    }),
  ),
  events: z.array(z.object({ kind: z.string(), who: z.string(), text: z.string(), time })),
  /**
   * The platform's own records: transitions, hand-over, openings of sealed forms, money, and the last chat messages.
   */
  evidence: z.array(
    z.object({
      kind: z.enum(['step', 'handover', 'reveal', 'money', 'chat']),
      who: z.string(),
      text: z.string(),
      pictures: z.array(picture),
      time,
    }),
  ),
  rulings: z.array(
    z.object({
      stage: z.number().int(),
      refund: money,
      release: money,
      /** The amount that the loser's deposit must pay by rule 8.3, and the amount that was taken; null = nothing. */
      penalty: z.object({ side: z.enum(['buyer', 'seller']), amount: money, taken: money.nullable() }).nullable(),
      reason: z.string(),
      rules: z.array(rule),
      time,
    }),
  ),
  appealUntil: time.nullable(),
  accepted: z.object({ buyer: z.boolean(), seller: z.boolean() }),
  staffName: z.string().nullable(),
});

export const disputeDetail = endpoint({
  method: 'GET',
  path: '/api/dispute/detail',
  auth: 'login',
  summary: '申诉详情',
  input: z.object({ disputeSn: sn }),
  data: disputeCase.extend({
    /** The fields that the viewer has not filled in yet; null = nothing to fill in. */
    form: z.array(disputeField).nullable(),
    evidenceHint: z.string(),
    /** `answer`, `agree`, `evidence`, `withdraw`, `accept`, `appeal`: the actions available to the viewer. */
    acts: z.array(z.string()),
  }),
  idField: 'disputeSn',
  limit: 'read',
});

/** The other party's form. `agree` accepts the request, which ends the dispute immediately. */
export const answerDispute = endpoint({
  method: 'POST',
  path: '/api/dispute/answer',
  auth: 'login',
  summary: '答复申诉',
  input: z.object({
    disputeSn: sn,
    agree: flag.default(false),
    answers: answersInput,
    text: text(1000, { label: '说明' }).default(''),
    pictures: picturesIn,
  }),
  data: nothing,
  limit: 'write',
});

export const addDisputeEvidence = endpoint({
  method: 'POST',
  path: '/api/dispute/evidence',
  auth: 'login',
  summary: '补充证据',
  input: z.object({ disputeSn: sn, text: statement, pictures: picturesIn }),
  data: nothing,
  limit: 'write',
});

export const withdrawDispute = endpoint({
  method: 'POST',
  path: '/api/dispute/withdraw',
  auth: 'login',
  summary: '撤回申诉',
  input: z.object({ disputeSn: sn }),
  data: nothing,
  limit: 'write',
});

/** Accepts the first ruling; once both parties have, it is executed without waiting for the appeal period. */
export const acceptRuling = endpoint({
  method: 'POST',
  path: '/api/dispute/accept',
  auth: 'login',
  summary: '接受裁决',
  input: z.object({ disputeSn: sn }),
  data: nothing,
  limit: 'write',
});

/** A dispute can be appealed once, by either party; another member of staff rules on the appeal. */
export const appealRuling = endpoint({
  method: 'POST',
  path: '/api/dispute/appeal',
  auth: 'login',
  summary: '对裁决上诉（一次）',
  input: z.object({ disputeSn: sn, text: statement, pictures: picturesIn }),
  data: nothing,
  limit: 'write',
});

/** Executed rulings, without names or numbers. */
export const rulingList = endpoint({
  method: 'GET',
  path: '/api/dispute/rulings',
  auth: 'public',
  summary: '公开裁决',
  input: z.object({
    ...paging,
    ruleNo: z
      .string()
      .regex(/^(\d{1,2}(\.\d{1,2}){0,2})?$/, '规则编号不正确')
      .optional(),
    reason: z
      .string()
      .regex(/^[a-z_]{0,40}$/, '原因不正确')
      .optional(),
    keyWord: optionalTyped(typedKeyword, 40, '关键词'),
    gameId: optionalInt({ max: 1_000_000 }),
  }),
  data: z.object({
    list: z.array(
      z.object({
        rulingId: z.number().int(),
        gameName: z.string(),
        orderTypeName: z.string(),
        reasonName: z.string(),
        price: money,
        /** Refunded part of the listing's price, in percent. */
        refundPercent: z.number().int(),
        stage: z.number().int(),
        text: z.string(),
        rules: z.array(rule),
        day: z.string(),
      }),
    ),
    reasons: z.array(z.object({ code: z.string(), name: z.string() })),
    ...listTail,
  }),
  limit: 'read',
});

/** The numbered public rules cited in rulings, as currently in force, with how often each was cited. */
export const ruleBook = endpoint({
  method: 'GET',
  path: '/api/dispute/rules',
  auth: 'public',
  summary: '平台规则',
  input: z.object({}),
  data: z.object({
    list: z.array(rule.extend({ version: z.number().int(), inForce: time, cited: z.number().int() })),
  }),
  limit: 'read',
});

/** The content of a ruling; shared by the call and by the draft that a second member of staff reviews. */
export const rulingFields = {
  /** Part of the listing's price: 0 to all of it. */
  refund: z
    .union([z.literal('0'), z.literal('0.00'), z.literal(0), amount({ label: '退款金额' })])
    .transform((v) => (typeof v === 'string' ? 0 : v)),
  rules: json(
    z
      .array(z.string().regex(/^\d{1,2}(\.\d{1,2}){0,2}$/, '规则编号不正确'))
      .min(1, '请至少引用一条规则')
      .max(6, '最多引用 6 条规则'),
    '规则',
  ),
  reason: text(1000, { min: 10, label: '裁决理由' }),
  publicText: optionalText(600, '公开文本'),
  /** The loser is at fault, so the deposit pays by rule 8.3. */
  penalty: flag.optional(),
};
