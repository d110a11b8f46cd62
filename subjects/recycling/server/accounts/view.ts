import { boolLabels, showValue } from '#subjects/games/rules/attr-text.ts';
import type { z } from 'zod';
import type { recycleInfo } from '#subjects/recycling/contract/account-recycling.ts';
import { yuanLabel } from '#contract/wire.ts';
import { type Catalogue, readableAttrs } from '#subjects/games/server/service.ts';
import type { Cut, Floor } from '#subjects/valuation/server/service.ts';
import type { RequestRow } from './rows.ts';
import { type RecycleState, recycleStates, recycleStatesOfOthers } from './states.ts';

type Info = z.input<typeof recycleInfo.data>;
const BP = 10_000;

const stateName = (r: RequestRow, reader: 'seller' | 'other'): string => {
  if (r.isHeld) return r.heldUntil ? '已付款，等接管' : '申诉处理中';
  return (reader === 'other' ? recycleStatesOfOthers[r.status] : undefined) ?? recycleStates[r.status];
};

/** The part of a request that every list shows; `reader` is the party for whom the state is named. */
export function briefOf(r: RequestRow, all: Catalogue, reader: 'seller' | 'other' = 'seller') {
  const facts = readableAttrs(all, r.gameId, r.details, 1).slice(0, 4);
  return {
    requestSn: r.sn,
    status: r.status,
    statusName: stateName(r, reader),
    heldUntil: r.heldUntil,
    gameId: r.gameId,
    gameName: all.game(r.gameId)?.name ?? '',
    areaName: all.area(r.areaId ?? 0)?.name ?? '',
    title: facts.map((f) => `${f.label} ${f.value}`).join('，'),
    floorPrice: r.floorFen,
    price: r.bestFen,
    cut: r.cutFen,
    dueTime: r.dueAt,
    orderSn: r.orderSn,
    createTime: r.createdAt,
  };
}

/** The title of a recycled account's order. It states no values: the inspector reads it where the form is opened (decision 747). */
export const recycleTitle = (gameName: string, areaName: string): string =>
  ['回收', gameName, areaName, '账号'].filter(Boolean).join(' ').slice(0, 120);

/** The states in which staff may still have to read an account. */
const UNREAD: readonly RecycleState[] = ['bidding', 'quoted', 'accepted'];

/**
 * The same part for a member of staff. Until an account is read the seller's values are left out, since who sees them can copy instead of
 * reading them in the game; `hasRead` shows them to whoever has stored a reading (decision 747).
 */
export function briefForStaff(r: RequestRow, all: Catalogue, hasRead: boolean) {
  const brief = briefOf(r, all, 'other');
  return isBlind(r, hasRead) ? { ...brief, title: '' } : brief;
}

/** Whether the seller's values and colleagues' readings are kept from a member of staff. */
export const isBlind = (r: Pick<RequestRow, 'status'>, hasRead: boolean): boolean =>
  !hasRead && UNREAD.includes(r.status);

/** An account's stated fields as text. */
export const detailsOf = (r: Pick<RequestRow, 'gameId' | 'details'>, all: Catalogue) =>
  readableAttrs(all, r.gameId, r.details, 1).map(({ label, value }) => ({ label, value }));

/** A floor with its reasons. */
export function floorView(floor: Floor, basis: { samples: number; madeAt: Date }): NonNullable<Info['floor']> {
  return {
    typical: floor.typicalFen,
    floor: floor.floorFen,
    lines: floor.lines.map(({ label, reason, fen }) => ({ label, reason, amount: fen })),
    samples: basis.samples,
    modelTime: basis.madeAt,
  };
}

const yuan = (fen: number): string => `−¥${yuanLabel(fen)}`;

/** The published table of deductions at a price, in fen: the difference, how it counts, and the amount. */
export function cutLines(cuts: readonly Cut[], priceFen: number, all: Catalogue, gameId: number): Info['cuts'] {
  const fields = new Map(all.fieldsOf(gameId).map((f) => [f.key, f]));
  const fen = (bp: number): number => Math.round((priceFen * bp) / BP);
  return cuts.map((cut) => {
    const { field: key, label, said } = cut;
    const field = fields.get(key);
    if (cut.nodes) {
      const stated = Number.parseInt(cut.said, 10);
      const below = cut.nodes
        .filter((n) => n.bp > 0 && !(n.at > stated))
        .slice(-3)
        .toReversed();
      const unit = field?.unit ?? '';
      return below.length === 0
        ? { key, label, said, how: '不同', amount: '不减' }
        : {
            key,
            label,
            said,
            how: below.map((n) => `只有 ${n.at}${unit}`).join(' / '),
            amount: below.map((n) => yuan(fen(n.bp))).join(' / '),
          };
    }
    const bps = Object.entries(cut.options ?? cut.missing ?? {}).filter(([, bp]) => bp > 0);
    const most = Math.max(0, ...bps.map(([, bp]) => bp));
    const name = (v: string): string =>
      field?.kind === 'bool' && (v === 'yes' || v === 'no')
        ? boolLabels(field)[v === 'yes' ? 0 : 1]
        : field
          ? showValue({ ...field, kind: 'single' }, v)
          : v;
    const only = bps.length === 1 ? bps[0] : undefined;
    if (bps.length === 0) return { key, label, said, how: '不同', amount: '不减' };
    if (only)
      return {
        key,
        label,
        said,
        how: cut.missing ? `没有${name(only[0])}` : `实际为「${name(only[0])}」`,
        amount: yuan(fen(only[1])),
      };
    return { key, label, said, how: cut.missing ? '每少一项' : '按实际', amount: `最多 ${yuan(fen(most))}` };
  });
}
