import { z } from 'zod';
import { disputeCase, rulingFields } from './dispute.ts';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { disputeList } from './list-cases.ts';
import { bulkResult, flag, int, json, money, nothing, optionalText, sn, text } from '#contract/wire.ts';

/** Disputes by their filters, newest first. */
export const staffDisputeList = staffRead('/api/backstage/dispute/list', '申诉队列（后台）', {
  input: disputeList.input,
  data: disputeList.data,
  limit: 'search',
});

export const staffDisputeDetail = staffRead('/api/backstage/dispute/detail', '申诉案卷（后台）', {
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
    /** The order's amounts as yuan text, for the preview of the ruling (subjects/disputes/rules/ruling.ts). */
    terms: z.object({
      goods: money,
      service: money,
      ensure: money,
      fixEnsure: money,
      discount: money,
      commission: money,
      distShare: money,
      inviteReward: money,
      /** The amount paid to the seller for accepted milestones, and their part of the price. */
      advance: money,
      advanceGoods: money,
      /** The reduction of the price after an inspection. */
      cut: money,
      /** The most that a ruling may refund of the price. */
      refundable: money,
    }),
    /** The deposits of both parties for the roles in which they trade here; null = that party has no deposit. */
    deposits: z.object({
      buyer: z.object({ roleName: z.string(), paid: money }).nullable(),
      seller: z.object({ roleName: z.string(), paid: money }).nullable(),
    }),
    /** Why the parties may be the same person or related; empty when no link is known. */
    related: z.array(z.string()),
    /** The debts of the parties to other users. */
    debts: z.object({ buyer: money, seller: money }),
    /** The part of a full refund that hold, deposit and shares do not cover; it needs a second approval. */
    uncovered: money,
    /** The parameters of rule 8.3 (subjects/disputes/rules/ruling.ts). */
    penaltyTerms: z.object({ lossBp: z.number().int(), lossMinFen: z.number().int(), lossMaxFen: z.number().int() }),
    staffId: z.number().int().nullable(),
    escalated: z.boolean(),
    /** Other disputes of both parties, newest first. */
    before: z.array(
      z.object({
        disputeSn: z.string(),
        side: z.enum(['buyer', 'seller']),
        reasonName: z.string(),
        result: z.string(),
      }),
    ),
    /** A ruling above the limit that waits for a second approval. */
    draft: z
      .object({
        /** Sent with the second person's decision, so that the approved draft is the one that was reviewed. */
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
    /** `look`, `ask`, `rule`, `second`: the actions available to the caller now. */
    acts: z.array(z.string()),
    /** Why the caller may not rule while another member of staff may. */
    hint: z.string().nullable(),
  }),
  idField: 'disputeSn',
});

/** Takes the case; this first response asks the other party for a statement. */
export const staffDisputeFirstResponse = staffWrite('/api/backstage/dispute/look', '受理申诉（后台）', {
  input: z.object({ disputeSn: sn }),
  data: nothing,
});

/** Takes several cases, each by the rules of a single one. */
export const staffDisputeTake = staffWrite('/api/backstage/dispute/take', '受理多件申诉（后台）', {
  input: z.object({ disputeSns: json(z.array(sn).min(1, '请选择申诉').max(100, '一次最多 100 件'), '申诉') }),
  data: bulkResult,
});

/** Asks one party or both for more details; the question is added to the record. */
export const staffDisputeQuestion = staffWrite('/api/backstage/dispute/ask', '要求补充证据（后台）', {
  input: z.object({ disputeSn: sn, text: text(300, { min: 5, label: '要求' }) }),
  data: nothing,
});

/**
 * `waits`: the refund is above the limit; the ruling is saved as a draft and another member of staff must approve it.
 */
export const staffDisputeRule = staffWrite('/api/backstage/dispute/rule', '裁决（后台）', {
  input: z.object({ disputeSn: sn, ...rulingFields }),
  data: z.object({ waits: z.boolean() }),
});

/** A second member of staff approves a drafted ruling or sends it back. */
export const staffDisputeSecond = staffWrite('/api/backstage/dispute/second', '复核裁决（后台）', {
  input: z.object({
    disputeSn: sn,
    draftId: int({ min: 1, label: '复核编号' }),
    allow: flag,
    note: optionalText(200, '说明'),
  }),
  data: nothing,
});
