import { type ClaimStatus, claimStatusNames } from '#subjects/disputes/rules/case-states.ts';
import { rateText } from '#contract/rules/fee.ts';
import type { MeasuredRate, RatePart } from '#subjects/games/server/rules.ts';

/** Bounds of a measured rate (domain.md 3: 3 to 20 %). */
const MIN_BP = 300;
const MAX_BP = 2000;
/** Loading on measured losses, so that the fund survives a bad month. */
const LOADING = 1.5;
/** Minimum covers for a measurement; at this number the measurement has half the weight. */
const MIN_COVERS = 30;
const HALF_WEIGHT = 60;

export interface Measure {
  covers: number;
  pricesFen: number;
  paidFen: number;
}

/**
 * The measured rate of a tier for a game over 180 days: payments per covered yuan with loading, weighted against the tier's own rate by
 * the number of covers. Each reason has its share of the rate. Null when there are too few covers.
 */
export function measuredRate(baseBp: number, m: Measure): Required<MeasuredRate> | null {
  if (m.covers < MIN_COVERS || m.pricesFen <= 0) return null;
  const lossBp = Math.round((m.paidFen / m.pricesFen) * 10_000);
  const weight = m.covers / (m.covers + HALF_WEIGHT);
  const raw = baseBp * (1 - weight) + lossBp * LOADING * weight;
  const bp = Math.min(MAX_BP, Math.max(MIN_BP, Math.round(raw / 10) * 10));
  const reasons = [
    `近 180 天该游戏售出 ${m.covers} 份，赔付占保额 ${rateText(lossBp)}`,
    bp < baseBp
      ? `风险低于平均，费率由 ${rateText(baseBp)} 降为 ${rateText(bp)}`
      : bp > baseBp
        ? `风险高于平均，费率由 ${rateText(baseBp)} 升为 ${rateText(bp)}`
        : `与基准费率 ${rateText(baseBp)} 相同`,
  ];
  if (bp === MIN_BP) reasons.push(`费率不低于 ${rateText(MIN_BP)}`);
  if (bp === MAX_BP) reasons.push(`费率不高于 ${rateText(MAX_BP)}`);
  return { bp, reasons, parts: partsOf(bp, { baseBp, lossBp, weight }) };
}

/** The parts of a rate, which add up to it; the effect of rounding and of the bounds of 3 and 20 % is a separate part. */
function partsOf(bp: number, r: { baseBp: number; lossBp: number; weight: number }): RatePart[] {
  const percent = Math.round(r.weight * 100);
  const parts: RatePart[] = [
    { label: `基准费率 ${rateText(r.baseBp)}，权重 ${100 - percent}%`, bp: Math.round(r.baseBp * (1 - r.weight)) },
    { label: `近 180 天实际赔付 ${rateText(r.lossBp)}，权重 ${percent}%`, bp: Math.round(r.lossBp * r.weight) },
    { label: '风险准备（赔付部分的一半）', bp: Math.round(r.lossBp * (LOADING - 1) * r.weight) },
  ];
  const rest = bp - parts.reduce((sum, part) => sum + part.bp, 0);
  const why = bp === MIN_BP ? '补足下限 3%' : bp === MAX_BP ? '不超过上限 20%' : '取整';
  return [...parts, { label: why, bp: rest }].filter((part) => part.bp !== 0);
}

export type CoverStatus = 'waiting' | 'active' | 'claimed' | 'paid' | 'ended' | 'void';
export type { ClaimStatus };

const coverText: Readonly<Record<CoverStatus, readonly [name: string, explain: string]>> = {
  waiting: ['待生效', '确认收货后开始保障'],
  active: ['保障中', '出险后提交证明即可申请理赔'],
  claimed: ['理赔中', '理赔正在处理，期满未追回的自动赔付，需核实的由两名工作人员裁定'],
  paid: ['已赔付', '赔付已到余额，保障结束'],
  ended: ['已结束', '保障期已满，或账号换了新的保障'],
  void: ['未生效', '订单没有完成，包赔费已退回'],
};
/** The name of a cover's state. */
export const coverName = (s: CoverStatus): string => coverText[s][0];
/** The explanation of a cover's state. */
export const coverExplain = (s: CoverStatus): string => coverText[s][1];

/** The name of a claim's state. */
export const claimName = (s: ClaimStatus): string => claimStatusNames[s];

/** Claims that are not decided yet. */
export const OPEN_CLAIM: readonly ClaimStatus[] = ['checking', 'chasing', 'escalated'];

/** Reasons of an escalation (platform rule 5.5): the text for the claimant and the public, and the text for staff. */
export const escalations = {
  limit: { text: '金额超过单人限额', staff: '金额超过单人限额' },
  cover: { text: '申请金额需要凭证核定', staff: '申请金额超过该原因目前的赔付范围，或充值凭证尚未录入' },
  reason: { text: '该原因由人工核定', staff: '该原因由人工核定' },
  related: { text: '需要核实交易双方情况', staff: '买卖双方有关联' },
  moved: { text: '账号已转手，需要核实责任', staff: '账号在保障期内转手，责任人需要认定' },
  debt: { text: '需要核实交易双方情况', staff: '卖家有未还清的欠款' },
  loss: { text: '需要人工核实损失', staff: '卖家货款、保证金、余额与本单保费不足以覆盖赔付' },
} as const;
export type Escalation = keyof typeof escalations;

/** The reasons of an escalation as one text, without duplicates. */
export const escalationText = (why: readonly Escalation[]): string =>
  [...new Set(why.map((key) => escalations[key].text))].join('，');

/** The day of the chase, counted from 1; 0 before it began. */
export function chaseDay(from: Date | null, days: number, now: Date): number {
  if (from === null) return 0;
  return Math.min(days, Math.max(1, Math.floor((now.getTime() - from.getTime()) / 86_400_000) + 1));
}

/** A nickname masked to its first character, for public certificates. */
export const maskHolder = (name: string): string => `${[...name][0] ?? ''}**`;
