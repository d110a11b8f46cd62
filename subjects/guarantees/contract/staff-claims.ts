import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { claimCase } from './guarantee.ts';
import { claimList } from './list-claims.ts';
import { amount, bulkResult, flag, int, json, money, nothing, optionalText, sn, text, time } from '#contract/wire.ts';

const actions = ['accept', 'note', 'pay', 'refuse', 'recovered'] as const;

/** Claims by their filters, newest first. */
export const staffClaimList = staffRead('/api/backstage/claim/list', '理赔队列（后台）', {
  input: claimList.input,
  data: claimList.data,
  limit: 'search',
});

export const staffClaimDetail = staffRead('/api/backstage/claim/detail', '理赔案卷（后台）', {
  input: z.object({ claimSn: sn }),
  data: claimCase.extend({
    orderSn: z.string(),
    userId: z.string(),
    userName: z.string(),
    distName: z.string(),
    coverText: z.string(),
    exclusions: z.array(z.string()),
    price: money,
    payoutMax: money,
    premium: money,
    /**
     * The part of the sale's money that the claim has frozen; it goes to the fund first when the claim is paid. 0 =
     * everything was paid out.
     */
    held: money,
    holders: z.number().int(),
    sellerId: z.string(),
    sellerName: z.string(),
    /** Why claimant and seller may be the same person or related; empty when no link is known. */
    related: z.array(z.string()),
    /** Why the deadline did not pay automatically, as text for staff. */
    escalations: z.array(z.string()),
    /** Maximum payable now for this reason, given the receipts entered. */
    limit: money,
    /** The cover of the reason, as text. */
    limitText: z.string(),
    takesReceipts: z.boolean(),
    /** Every picture that the claimant submitted, for entering receipts. */
    proofs: z.array(z.object({ key: z.string(), url: z.string(), thumb: z.string() })),
    receipts: z.array(
      z.object({
        receiptId: z.number().int(),
        amount: money,
        paidOn: z.string(),
        note: z.string(),
        pictures: z.array(z.object({ url: z.string(), thumb: z.string() })),
        staffName: z.string(),
        time,
        /** The receipt was struck out and no longer counts. */
        isStruck: z.boolean(),
      }),
    ),
    /** The amounts that the fund recovered for a paid claim: from the hold, from the deposit, and as a debt of the seller. */
    recourse: z.object({ held: money, deposit: money, debt: money, spared: z.boolean() }).nullable(),
    /** The same game account elsewhere: its past and present listings and its orders, newest first. */
    sameAccount: z.array(
      z.object({
        goodsSn: z.string(),
        title: z.string(),
        sellerName: z.string(),
        isClaimant: z.boolean(),
        statusName: z.string(),
        isLive: z.boolean(),
        orderSn: z.string().nullable(),
        orderStatusName: z.string().nullable(),
        time,
      }),
    ),
    staffName: z.string().nullable(),
    /** Earlier claims by this user and on this account. */
    before: z.array(z.object({ claimSn: z.string(), statusName: z.string(), asked: money, time })),
    draft: z
      .object({
        /** Sent with the second person's decision, so that the approved proposal is the one that was reviewed. */
        draftId: z.number().int(),
        by: z.string(),
        isMine: z.boolean(),
        act: z.string(),
        amount: money.nullable(),
        sparesSeller: z.boolean(),
        text: z.string(),
      })
      .nullable(),
    ruleBook: z.array(z.object({ no: z.string(), title: z.string() })),
    acts: z.array(z.string()),
  }),
  idField: 'claimSn',
});

/**
 * `accept` starts the chase, `note` adds an action to it, `pay` and `refuse` decide, `recovered` closes the claim
 * because the account came back.
 */
export const staffClaimAction = staffWrite('/api/backstage/claim/act', '处理理赔（后台）', {
  input: z.object({
    claimSn: sn,
    act: z.enum(actions, { error: '操作不正确' }),
    text: text(500, { min: 4, label: '说明' }),
    ruleNo: z
      .string()
      .regex(/^(\d{1,2}(\.\d{1,2}){0,2})?$/, '规则编号不正确')
      .optional(),
    amount: amount({ label: '赔付金额' }).optional(),
    /** Paid, and the seller keeps the held money because the loss is not the seller's fault (rule 5.3). */
    sparesSeller: flag.optional(),
  }),
  data: z.object({ waits: z.boolean() }),
});

/** Accepts several claims with one text, each by the rules of a single one; their chase begins. */
export const staffClaimAccept = staffWrite('/api/backstage/claim/accept', '受理多件理赔（后台）', {
  input: z.object({
    claimSns: json(z.array(sn).min(1, '请选择理赔').max(100, '一次最多 100 件'), '理赔'),
    text: text(300, { min: 2, label: '说明' }),
  }),
  data: bulkResult,
});

/** A second member of staff approves a drafted decision or sends it back. */
export const staffClaimSecond = staffWrite('/api/backstage/claim/second', '复核理赔（后台）', {
  input: z.object({
    claimSn: sn,
    draftId: int({ min: 1, label: '复核编号' }),
    allow: flag,
    note: optionalText(200, '说明'),
  }),
  data: nothing,
});

/**
 * Enters a top-up receipt that staff have checked: the proven amount may be paid beyond the price, up to the
 * guarantee's maximum.
 */
export const staffClaimReceipt = staffWrite('/api/backstage/claim/receipt', '录入充值凭证（后台）', {
  input: z.object({
    claimSn: sn,
    amount: amount({ label: '凭证金额' }),
    paidOn: z.iso.date({ error: '请填写充值日期' }),
    note: text(200, { min: 2, label: '凭证说明' }),
    /** Keys of pictures that the claimant submitted (`proofs`). */
    pictures: json(z.array(z.string().max(80)).min(1, '请选择凭证图片').max(3, '最多 3 张图片'), '凭证'),
  }),
  data: nothing,
  idempotent: true,
});

/** Strikes out a receipt that was entered by mistake: it no longer counts but stays readable. */
export const staffClaimReceiptStrike = staffWrite('/api/backstage/claim/receiptStrike', '作废充值凭证（后台）', {
  input: z.object({ claimSn: sn, receiptId: int({ min: 1, label: '凭证编号' }) }),
  data: nothing,
});
