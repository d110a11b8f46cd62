import type { z } from 'zod';
import type { Claim, claimCase, Cover } from '#subjects/guarantees/contract/guarantee.ts';
import { orderTypeName } from '#subjects/orders/rules/order-types.ts';
import { claimReasons } from '../rules/guarantee.ts';
import type { Trx } from '#server/db/client.ts';
import { gameCover, imageUrl, pictureUrls } from '#subjects/media/server/service.ts';
import { type ClaimRow, type CoverRow, loadSteps } from './queries.ts';
import { chaseDay, claimName, coverExplain, coverName, escalationText } from './rules.ts';

type Case = z.input<typeof claimCase>;
type ClaimView = Pick<Case, keyof Claim>;
type CoverView = {
  [K in keyof Cover]: K extends 'price' | 'premium' | 'payoutMax'
    ? number
    : K extends 'startTime' | 'endTime'
      ? Date | null
      : Cover[K];
};

/** URLs and thumbnails of uploaded pictures. */
export const pictureList = (keys: readonly { key: string }[]): { url: string; thumb: string }[] =>
  keys.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) }));

/** A cover for its holder. */
export function coverView(c: CoverRow): CoverView {
  const { title, gameName, gameCode, picture } = c.snapshot;
  const transferred = !c.mine && c.status !== 'void' && c.status !== 'waiting';
  return {
    coverId: c.id,
    kind: c.kind,
    tierName: c.terms.name,
    orderSn: c.orderSn,
    bigTitle: title,
    gameName,
    orderTypeId: c.typeId,
    orderTypeName: orderTypeName(c.typeId),
    thumbnail: picture ? pictureUrls(picture, gameCode).thumb : gameCover(gameCode),
    price: c.priceFen,
    premium: c.premiumFen,
    payoutMax: c.payoutMaxFen,
    status: transferred ? 'moved' : c.status,
    statusName: transferred ? '已随账号转移' : coverName(c.status),
    explain: transferred ? '账号在本站转手，保障归新的主人' : coverExplain(c.status),
    startTime: c.startsAt,
    endTime: c.endsAt,
    mine: c.mine,
    certificateNo: c.certificateNo,
    openClaimSn: c.openClaimSn,
  };
}

/** The public timeline state of a claim. */
export function clockOf(c: ClaimRow, now: Date): Case['clock'] {
  return {
    day: chaseDay(c.chaseFrom, c.chaseDays, c.decidedAt ?? now),
    days: c.chaseDays,
    lastAction: c.lastText,
    lastTime: c.lastAt,
    deadline: c.status === 'chasing' ? c.deadlineAt : null,
    lookBy: c.status === 'checking' ? c.firstLookBy : null,
    decideBy: c.status === 'escalated' ? c.decideBy : null,
    why: c.status === 'escalated' ? escalationText(c.escalatedFor) : '',
  };
}

/** A claim for lists; `now` determines the day of the chase. */
export function claimView(c: ClaimRow, now: Date): ClaimView {
  return {
    claimSn: c.sn,
    coverId: c.coverId,
    tierName: c.terms.name,
    bigTitle: c.snapshot.title,
    gameName: c.snapshot.gameName,
    reasonName: claimReasons[c.reason].name,
    asked: c.askedFen,
    paid: c.paidFen > 0 ? c.paidFen : null,
    status: c.status,
    statusName: claimName(c.status),
    refusal: c.refusal,
    clock: clockOf(c, now),
    openTime: c.openedAt,
    decideTime: c.decidedAt,
  };
}

const who = (actor: string, c: ClaimRow): string =>
  actor === `user:${c.userId}` ? '申请人' : actor.startsWith('staff:') ? '平台客服' : '系统';

/** A claim with its timeline. */
export async function loadClaimCase(db: Trx, c: ClaimRow, now: Date): Promise<Case> {
  const steps = await loadSteps(db, c.id);
  return {
    ...claimView(c, now),
    explain: c.explain,
    pictures: pictureList(c.pictures),
    steps: steps.map((s) => ({
      day: s.day,
      text: s.text,
      who: who(s.actor, c),
      pictures: pictureList(s.pictures),
      time: s.at,
    })),
  };
}
