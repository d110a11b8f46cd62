import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { amount, int, json, listTail, money, nothing, paging, sn, text, time } from '#contract/wire.ts';

const picture = z.object({ url: z.string(), thumb: z.string() });
const picturesIn = json(z.array(z.string().max(80)).max(6, '最多 6 张图片'), '凭证').default([]);
const coverId = int({ min: 1, label: '保障编号' });
const claimReasons = ['recovered', 'face_refused', 'banned', 'not_as_described', 'topup_lost', 'other'] as const;

const cover = z.object({
  coverId: z.number().int(),
  kind: z.enum(['ensure', 'fixEnsure']),
  tierName: z.string(),
  orderSn: z.string(),
  bigTitle: z.string(),
  gameName: z.string(),
  orderTypeId: z.number().int(),
  orderTypeName: z.string(),
  thumbnail: z.string(),
  price: money,
  premium: money,
  payoutMax: money,
  status: z.string(),
  statusName: z.string(),
  /** The meaning of the status for the holder, in one sentence. */
  explain: z.string(),
  startTime: time.nullable(),
  endTime: time.nullable(),
  /** The viewer holds the certificate; false for the holder before a resale. */
  mine: z.boolean(),
  certificateNo: z.string().nullable(),
  openClaimSn: z.string().nullable(),
});
export type Cover = z.output<typeof cover>;

/** The public clock of a claim: day n of the chase, the last action, and when the money is paid automatically. */
const clock = z.object({
  day: z.number().int(),
  days: z.number().int(),
  lastAction: z.string(),
  lastTime: time,
  deadline: time.nullable(),
  /** Before the chase: the deadline for the first check by staff. */
  lookBy: time.nullable(),
  /**
   * After the chase, when the deadline may not pay automatically: the deadline for a decision by two members of staff,
   * and the reason.
   */
  decideBy: time.nullable(),
  why: z.string(),
});

const claim = z.object({
  claimSn: z.string(),
  coverId: z.number().int(),
  tierName: z.string(),
  bigTitle: z.string(),
  gameName: z.string(),
  reasonName: z.string(),
  asked: money,
  paid: money.nullable(),
  status: z.string(),
  statusName: z.string(),
  refusal: z.string().nullable(),
  clock,
  openTime: time,
  decideTime: time.nullable(),
});
export type Claim = z.output<typeof claim>;

export const coverList = endpoint({
  method: 'GET',
  path: '/api/guarantee/list',
  auth: 'login',
  summary: '我的包赔',
  input: z.object({ ...paging, state: z.enum(['live', 'ended'], { error: '状态不正确' }).optional() }),
  data: z.object({
    list: z.array(cover),
    counts: z.object({ live: z.number().int(), ended: z.number().int() }),
    claims: z.array(claim),
    ...listTail,
  }),
  limit: 'read',
});

export const coverDetail = endpoint({
  method: 'GET',
  path: '/api/guarantee/cover',
  auth: 'login',
  summary: '一份包赔',
  input: z.object({ coverId }),
  data: cover.extend({
    terms: z.object({ coverText: z.string(), exclusions: z.array(z.string()), chaseDays: z.number().int() }),
    holders: z.array(
      z.object({ seq: z.number().int(), name: z.string(), mine: z.boolean(), from: time, to: time.nullable() }),
    ),
    claims: z.array(claim),
    /** Why no claim can be opened now; null = one can. */
    closed: z.string().nullable(),
    /**
     * What is covered: the maximum claim now, as text and in yuan; whether the deadline may pay it without a member of
     * staff.
     */
    reasons: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        evidence: z.string(),
        text: z.string(),
        most: money,
        byItself: z.boolean(),
      }),
    ),
  }),
  limit: 'read',
});

/**
 * Opens the public clock. At its deadline the claim is paid automatically, or two members of staff decide (platform
 * rule 5.5).
 */
export const openClaim = endpoint({
  method: 'POST',
  path: '/api/guarantee/claim',
  auth: 'login',
  summary: '申请理赔',
  input: z.object({
    coverId,
    reason: z.enum(claimReasons, { error: '请选择出险原因' }),
    explain: text(1000, { min: 10, label: '经过说明' }),
    amount: amount({ label: '理赔金额' }),
    pictures: json(z.array(z.string().max(80)).min(1, '请上传至少一张证明截图').max(6, '最多 6 张图片'), '凭证'),
  }),
  data: z.object({ claimSn: z.string() }),
  idempotent: true,
  limit: 'write',
});

/** A claim with all its events, as the claimant and staff see it. */
export const claimCase = claim.extend({
  explain: z.string(),
  pictures: z.array(picture),
  steps: z.array(
    z.object({ day: z.number().int(), text: z.string(), who: z.string(), pictures: z.array(picture), time }),
  ),
});

export const claimDetail = endpoint({
  method: 'GET',
  path: '/api/guarantee/claimDetail',
  auth: 'login',
  summary: '理赔进度',
  input: z.object({ claimSn: sn }),
  /** `orderSn`: the claimant's order; the claim is discussed in its conversation. */
  data: claimCase.extend({ acts: z.array(z.string()), orderSn: z.string() }),
  idField: 'claimSn',
  limit: 'read',
});

export const addClaimEvidence = endpoint({
  method: 'POST',
  path: '/api/guarantee/evidence',
  auth: 'login',
  summary: '补充理赔证明',
  input: z.object({ claimSn: sn, text: text(500, { min: 5, label: '说明' }), pictures: picturesIn }),
  data: nothing,
  limit: 'write',
});

export const withdrawClaim = endpoint({
  method: 'POST',
  path: '/api/guarantee/withdraw',
  auth: 'login',
  summary: '撤回理赔',
  input: z.object({ claimSn: sn }),
  data: nothing,
  limit: 'write',
});

/**
 * Anyone with the number may check a certificate: its content, and whether it is still valid. No names, no order
 * numbers.
 */
export const certificateCheck = endpoint({
  method: 'GET',
  path: '/api/guarantee/certificate',
  auth: 'public',
  summary: '核验包赔证书',
  input: z.object({ no: z.string({ error: '请输入证书编号' }).regex(/^[A-Za-z0-9]{8,24}$/, '证书编号格式不正确') }),
  data: z.object({
    no: z.string(),
    genuine: z.boolean(),
    /** live, claimed, paid, ended, replaced. */
    state: z.string(),
    stateName: z.string(),
    explain: z.string(),
    body: z.object({
      tierName: z.string(),
      gameName: z.string(),
      title: z.string(),
      holder: z.string(),
      holderSeq: z.number().int(),
      price: money,
      payoutMax: money,
      coverText: z.string(),
      exclusions: z.array(z.string()),
      chaseDays: z.number().int(),
      from: time,
    }),
    issueTime: time,
    digest: z.string(),
    qrSvg: z.string(),
    url: z.string(),
  }),
  idField: 'no',
  limit: 'verify',
});

/** The fund's public account: income, payouts, processing times, reasons of rejections, and every running clock. */
export const guaranteeFund = endpoint({
  method: 'GET',
  path: '/api/guarantee/fund',
  auth: 'public',
  summary: '包赔基金公示',
  input: z.object({}),
  data: z.object({
    balance: money,
    covers: z.number().int(),
    insured: money,
    premiums: money,
    paidCount: z.number().int(),
    paidTotal: money,
    refusedCount: z.number().int(),
    recoveredCount: z.number().int(),
    medianHours: z.number().int().nullable(),
    months: z.array(
      z.object({
        month: z.string(),
        covers: z.number().int(),
        premium: money,
        claims: z.number().int(),
        paid: z.number().int(),
        paidTotal: money,
        refused: z.number().int(),
        medianHours: z.number().int().nullable(),
      }),
    ),
    running: z.array(
      z.object({
        claimSn: z.string(),
        gameName: z.string(),
        tierName: z.string(),
        reasonName: z.string(),
        asked: money,
        statusName: z.string(),
        clock,
      }),
    ),
    closed: z.array(
      z.object({
        gameName: z.string(),
        tierName: z.string(),
        reasonName: z.string(),
        result: z.string(),
        paid: money.nullable(),
        hours: z.number().int(),
        day: z.string(),
      }),
    ),
    rates: z.array(
      z.object({ gameName: z.string(), tierName: z.string(), rateText: z.string(), reasons: z.array(z.string()) }),
    ),
  }),
  limit: 'read',
});
