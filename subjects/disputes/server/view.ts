import type { z } from 'zod';
import type { disputeCase, DisputeItem } from '#subjects/disputes/contract/dispute.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { tradedFacts } from '#subjects/orders/server/service.ts';
import type { Context } from '#server/context.ts';
import { gameCover, imageUrl, pictureUrls } from '#subjects/media/server/service.ts';
import { actorName, loadEvidence } from './evidence.ts';
import { type DisputeRow, loadEvents, loadRulings, loadStatements } from './queries.ts';
import {
  type DisputeState,
  openerParty,
  outcomeName,
  labelledAnswers,
  type Party,
  partyNames,
  statusName,
  wantName,
} from './rules.ts';

type Case = z.input<typeof disputeCase>;
type Item = Pick<Case, keyof DisputeItem>;

/** The state of a dispute as input for the rules. */
export function stateOf(d: DisputeRow): DisputeState {
  return {
    status: d.status,
    openerBelong: d.openerBelong,
    want: d.want,
    orderStatus: d.orderStatus,
    answered: d.answeredAt !== null,
    accepted: { buyer: d.buyerAccepted, seller: d.sellerAccepted },
    appealed: d.appealedAt !== null,
    appealUntil: d.appealUntil,
  };
}

/** Returns the action that a dispute is waiting for, as text for a party, and its deadline. */
export function pendingFor(d: DisputeRow, party: Party | 'staff'): { text: string; at: Date | null } {
  const other = openerParty(d.openerBelong) === 'buyer' ? 'seller' : 'buyer';
  const answering = party === other ? '请在时限内答复' : `等待${partyNames[other]}答复`;
  switch (d.status) {
    case 'open':
      // The deadline has passed: what happens now is not what was promised, so the page says who has the case.
      if (d.escalated && party !== 'staff' && (party !== other || d.answeredAt !== null))
        return { text: '超过受理时限，已升级给主管处理', at: null };
      return d.answeredAt === null && party === other
        ? { text: answering, at: d.answerBy }
        : { text: '等待客服受理', at: d.firstLookBy };
    case 'answering':
      return { text: answering, at: d.answerBy };
    case 'evidence':
      return { text: '等待平台裁决', at: d.ruleBy };
    case 'ruled':
      return { text: '可上诉一次，逾期自动执行', at: d.appealUntil };
    case 'appealed':
      return { text: '等待另一位工作人员重新裁决', at: d.ruleBy };
    case 'closed':
      return { text: outcomeName(d) ?? '', at: null };
  }
}

/** A dispute as lists show it to a party. */
export function itemOf(d: DisputeRow, party: Party): Item {
  const pending = pendingFor(d, party);
  const { title, gameName, gameCode, picture } = d.snapshot;
  const ended = d.status === 'closed' && d.refundedFen !== null;
  return {
    disputeSn: d.sn,
    orderSn: d.orderSn,
    bigTitle: title,
    gameName,
    orderTypeId: d.typeId,
    orderTypeName: orderTypeName(d.typeId),
    thumbnail: picture ? pictureUrls(picture, gameCode).thumb : gameCover(gameCode),
    goodsPrice: d.goodsFen,
    totalPrice: d.totalFen,
    reasonName: d.reasonName,
    want: d.want,
    wantName: wantName(d.want),
    wantAmount: d.want === 'part_refund' ? d.wantFen : null,
    status: d.status,
    statusName: statusName(d.status),
    outcome: d.outcome,
    outcomeName: outcomeName(d),
    viewer: party,
    mine: openerParty(d.openerBelong) === party,
    waits: pending.text,
    deadline: pending.at,
    refunded: ended ? d.refundedFen : null,
    toSeller: ended && party === 'seller' ? d.toSellerFen : null,
    openTime: d.openedAt,
    closeTime: d.closedAt,
  };
}

/** The time limits of a dispute, in order. A limit that was never needed is `off`. */
export function clocksOf(d: DisputeRow, now: Date): Case['clocks'] {
  const over = d.status === 'closed';
  const clock = (key: string, name: string, at: Date | null, doneTime: Date | null): Case['clocks'] => {
    if (at === null) return [];
    const isOverdue = (doneTime ?? now) > at;
    const state = doneTime ? (isOverdue ? 'late' : 'done') : over ? 'off' : isOverdue ? 'late' : 'waiting';
    return [{ key, name, at, doneTime, state }];
  };
  const other = partyNames[openerParty(d.openerBelong) === 'buyer' ? 'seller' : 'buyer'];
  return [
    ...clock('look', '客服受理', d.firstLookBy, d.firstLookAt),
    ...clock('answer', `${other}答复`, d.answerBy, d.answeredAt),
    ...clock('rule', d.appealedAt ? '重新裁决' : '平台裁决', d.ruleBy, d.status === 'appealed' ? null : d.ruledAt),
    ...clock('appeal', '上诉期', d.appealUntil, d.appealedAt ?? (over ? d.closedAt : null)).map((c) => ({
      ...c,
      state: c.state === 'late' ? ('done' as const) : c.state,
    })),
  ];
}

/** A dispute in full, as a party or staff sees it. */
export async function loadCase(ctx: Context, d: DisputeRow, party: Party | 'staff', now: Date): Promise<Case> {
  const { db } = ctx;
  const [statements, events, rulings, evidence] = await Promise.all([
    loadStatements(db, d.id),
    loadEvents(db, d.id),
    loadRulings(db, d.id),
    loadEvidence(db, d),
  ]);
  const item = itemOf(d, party === 'staff' ? 'seller' : party);
  const pending = pendingFor(d, party);
  return {
    ...item,
    facts: tradedFacts(ctx, d, d.goodsNum),
    waits: pending.text,
    deadline: pending.at,
    clocks: clocksOf(d, now),
    statements: statements.map((s) => ({
      side: openerParty(s.belong),
      name: s.belong === 1 ? d.buyerName : d.sellerName,
      kind: s.kind,
      answers: labelledAnswers(d.form, s.answers),
      text: s.text,
      pictures: s.pictures.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) })),
      time: s.at,
    })),
    events: events.map((e) => ({ kind: e.kind, who: actorName(d, e.actor), text: e.explain, time: e.at })),
    evidence,
    rulings: rulings.map((r) => ({
      stage: r.stage,
      refund: r.refundFen,
      release: r.releaseFen,
      penalty:
        r.penaltyUser === null
          ? null
          : { side: r.penaltyUser === d.buyerId ? 'buyer' : 'seller', amount: r.penaltyFen, taken: r.takenFen },
      reason: r.reason,
      rules: r.rules,
      time: r.at,
    })),
    appealUntil: d.status === 'ruled' ? d.appealUntil : null,
    accepted: { buyer: d.buyerAccepted, seller: d.sellerAccepted },
    staffName: d.staffName,
  };
}
