import { z } from 'zod';
import { disputeCase, rulingFields } from './dispute.ts';
import { endpoint } from './endpoint.ts';
import { flag, int, listTail, money, nothing, optionalText, paging, sn, text, time } from './wire.ts';

const scopes = ['open', 'mine', 'late', 'appeal', 'second', 'closed'] as const;

const item = z.object({
  disputeSn: z.string(),
  orderSn: z.string(),
  bigTitle: z.string(),
  gameName: z.string(),
  reasonName: z.string(),
  wantName: z.string(),
  goodsPrice: money,
  status: z.string(),
  statusName: z.string(),
  outcomeName: z.string().nullable(),
  openerSide: z.enum(['buyer', 'seller']),
  buyerName: z.string(),
  sellerName: z.string(),
  staffName: z.string().nullable(),
  distName: z.string(),
  /** The clock that runs now. */
  clockName: z.string(),
  deadline: time.nullable(),
  late: z.boolean(),
  escalated: z.boolean(),
  waitsForSecond: z.boolean(),
  openTime: time,
});
export type StaffDispute = z.output<typeof item>;

/** The queue: what runs out first comes first; closed ones newest first. keyWord: number of a dispute or an order, or a user's number. */
export const staffDisputeList = endpoint({
  method: 'GET',
  path: '/api/backstage/dispute/list',
  auth: 'staff',
  summary: '申诉队列（后台）',
  input: z.object({
    ...paging,
    scope: z.enum(scopes, { error: '范围不正确' }).default('open'),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({ list: z.array(item), counts: z.record(z.string(), z.number().int()), ...listTail }),
  limit: 'search',
});

export const staffDisputeDetail = endpoint({
  method: 'GET',
  path: '/api/backstage/dispute/detail',
  auth: 'staff',
  summary: '申诉案卷（后台）',
  input: z.object({ disputeSn: sn }),
  data: disputeCase.extend({
    buyerName: z.string(),
    buyerId: z.string(),
    sellerName: z.string(),
    sellerId: z.string(),
    openerSide: z.enum(['buyer', 'seller']),
    distName: z.string(),
    orderStatusName: z.string(),
    orderStatus: z.number().int(),
    /** Amounts of the order in fen's yuan, for the ruling's preview (contract/rules/ruling.ts). */
    terms: z.object({
      goods: money,
      service: money,
      ensure: money,
      fixEnsure: money,
      discount: money,
      commission: money,
      distShare: money,
      inviteReward: money,
    }),
    /** The deposits of the roles in which the two trade here; null = that side has none to lose. */
    deposits: z.object({
      buyer: z.object({ roleName: z.string(), paid: money }).nullable(),
      seller: z.object({ roleName: z.string(), paid: money }).nullable(),
    }),
    /** Why the two may be one person or friends; empty where nothing is known. */
    related: z.array(z.string()),
    /** What the two still owe others. */
    debts: z.object({ buyer: money, seller: money }),
    /** What hold, deposit and shares do not cover of a whole refund: the part for which a second person is needed. */
    uncovered: money,
    /** Rule 8.3 in numbers (contract/rules/ruling.ts). */
    penaltyTerms: z.object({ lossBp: z.number().int(), lossMinFen: z.number().int(), lossMaxFen: z.number().int() }),
    staffId: z.number().int().nullable(),
    escalated: z.boolean(),
    /** Other disputes that the two have been in, newest first. */
    before: z.array(
      z.object({
        disputeSn: z.string(),
        side: z.enum(['buyer', 'seller']),
        reasonName: z.string(),
        result: z.string(),
      }),
    ),
    /** A ruling above the limit that waits for another person. */
    draft: z
      .object({
        /** Sent back with the second person's word, so that what was read is what is let through. */
        draftId: z.number().int(),
        by: z.string(),
        isMine: z.boolean(),
        refund: money,
        rules: z.array(z.string()),
        reason: z.string(),
        publicText: z.string(),
        penalty: z.boolean(),
      })
      .nullable(),
    ruleBook: z.array(z.object({ no: z.string(), title: z.string(), body: z.string() })),
    secondPerson: money,
    /** look, ask, rule, second: what the caller may do now. */
    acts: z.array(z.string()),
    /** Why the caller may not rule, where somebody else may. */
    hint: z.string().nullable(),
  }),
  idField: 'disputeSn',
  limit: 'read',
});

/** Takes the case: the first look, with which the other side is asked. */
export const staffDisputeFirstResponse = endpoint({
  method: 'POST',
  path: '/api/backstage/dispute/look',
  auth: 'staff',
  summary: '受理申诉（后台）',
  input: z.object({ disputeSn: sn }),
  data: nothing,
  limit: 'write',
});

/** Asks one side or both for more; the words stand on the record. */
export const staffDisputeQuestion = endpoint({
  method: 'POST',
  path: '/api/backstage/dispute/ask',
  auth: 'staff',
  summary: '要求补充证据（后台）',
  input: z.object({ disputeSn: sn, text: text(300, { min: 5, label: '要求' }) }),
  data: nothing,
  limit: 'write',
});

/** `waits`: the refund is above the limit; the ruling is kept as a draft and another person must allow it. */
export const staffDisputeRule = endpoint({
  method: 'POST',
  path: '/api/backstage/dispute/rule',
  auth: 'staff',
  summary: '裁决（后台）',
  input: z.object({ disputeSn: sn, ...rulingFields }),
  data: z.object({ waits: z.boolean() }),
  limit: 'write',
});

/** The second person lets a drafted ruling through, or sends it back. */
export const staffDisputeSecond = endpoint({
  method: 'POST',
  path: '/api/backstage/dispute/second',
  auth: 'staff',
  summary: '复核裁决（后台）',
  input: z.object({
    disputeSn: sn,
    draftId: int({ min: 1, label: '复核编号' }),
    allow: flag,
    note: optionalText(200, '说明'),
  }),
  data: nothing,
  limit: 'write',
});
