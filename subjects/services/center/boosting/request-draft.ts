import type { myBoostRequests } from '#subjects/services/contract/boosting.ts';
import type { Data } from '#contract/endpoint.ts';
import { cookie } from '#web/lib/session/cookies.ts';

type Former = Data<typeof myBoostRequests>['list'][number];

/** The texts of the form of an open order, by the name of their field. */
export type Filled = Readonly<Record<string, string>>;

const keyOf = (): string => `boost-request:${cookie('userId') ?? ''}`;

/**
 * The user's input before this tab left the page, for example for a payment; null without input or when storage is
 * blocked.
 */
export function readDraft(): Filled | null {
  try {
    const saved: unknown = JSON.parse(sessionStorage.getItem(keyOf()) ?? 'null');
    if (typeof saved !== 'object' || saved === null) return null;
    return Object.fromEntries(
      Object.entries(saved).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return null;
  }
}

/** Saves the input, or deletes it. */
export function saveDraft(form: HTMLFormElement | null): void {
  try {
    if (form) sessionStorage.setItem(keyOf(), JSON.stringify(Object.fromEntries(new FormData(form))));
    else sessionStorage.removeItem(keyOf());
  } catch {
    // Without storage the form is empty after leaving the page.
  }
}

/** A rank as sent: its name and the added text, such as 钻石一 3星. */
export const rankText = (rank: string, detail: string): string => [rank, detail].filter(Boolean).join(' ');

/** Stars as sent: only a number, as the field's name invites, gets its unit. */
export const starsText = (typed: string): string => (/^\d{1,4}$/.test(typed) ? `${typed}星` : typed);

/** The rank and the added text. */
function splitRank(text: string): [rank: string, detail: string] {
  const [rank = '', ...detail] = text.split(' ');
  return [rank, detail.join(' ')];
}

/** The form's texts from a former open order, to send it again. */
export function filledFrom(former: Former): Filled {
  const [fromRank, fromDetail] = splitRank(former.fromRank);
  const [toRank, toDetail] = splitRank(former.toRank);
  const [area, server] = splitRank(former.area);
  return {
    gameId: String(former.gameId),
    kind: String(former.kind ?? ''),
    scopeKind: former.scopeKind,
    fromRank,
    fromDetail,
    toRank,
    toDetail,
    num: String(former.num),
    area,
    server,
    mode: former.mode,
    hours: String(former.hours),
    parts: String(former.milestones.length),
    note: former.note,
    price: former.price,
    safetyDeposit: former.safetyDeposit,
    efficiencyDeposit: former.efficiencyDeposit,
  };
}
