import { BOOSTING } from '#subjects/orders/rules/order-types.ts';
import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult } from '#contract/endpoint.ts';
import type { boostBoard } from '#subjects/services/contract/boosting.ts';
import { milestoneShares } from '../../rules/service.ts';
import type { Trx } from '#server/db/client.ts';
import type { Catalogue } from '#subjects/games/server/service.ts';
import type { Price } from '#subjects/orders/server/service.ts';
import { serviceKinds } from '../packages.ts';
import type { ServiceMode } from '../queries.ts';
import { modeName } from '../terms.ts';

type View = HandlerResult<typeof boostBoard>['list'][number];

/** An open order of boosting. Amounts in fen. */
export interface RequestRow {
  id: number;
  sn: string;
  distId: number;
  buyerId: number;
  inviterId: number | null;
  gameId: number;
  kind: number | null;
  scopeKind: View['scopeKind'];
  fromRank: string;
  toRank: string;
  num: number;
  area: string;
  note: string;
  mode: ServiceMode;
  minutes: number;
  milestones: { title: string; shareBp: number }[];
  goodsFen: number;
  totalFen: number;
  safetyFen: number;
  efficiencyFen: number;
  price: Price;
  status: View['status'];
  orderId: number | null;
  orderSn: string | null;
  expiresAt: Date;
  createdAt: Date;
}

/**
 * The legal steps of an open order; the database has the same table (`boost_request_steps`). With the actor and the
 * destination of its money.
 */
export const requestSteps = [
  { from: 'open', to: 'taken', by: 'booster', money: 'the order' },
  { from: 'open', to: 'withdrawn', by: 'buyer', money: 'the buyer' },
  { from: 'open', to: 'expired', by: 'timer', money: 'the buyer' },
] as const;

const STATUS_NAMES: Readonly<Record<RequestRow['status'], string>> = {
  open: '等人接单',
  taken: '已接单',
  withdrawn: '已撤回',
  expired: '已到期',
};

const COLUMNS = sql`r.id, r.sn, r.dist_id as "distId", r.buyer_id as "buyerId", b.inviter_id as "inviterId", r.game_id as "gameId", r.kind, r.scope_kind as "scopeKind",
  r.from_rank as "fromRank", r.to_rank as "toRank", r.num, r.area, r.note, r.mode, r.minutes, r.milestones, r.goods_fen as "goodsFen",
  r.total_fen as "totalFen", r.safety_fen as "safetyFen", r.efficiency_fen as "efficiencyFen", r.price, r.status, r.order_id as "orderId",
  o.sn as "orderSn", r.expires_at as "expiresAt", r.created_at as "createdAt"`;

const SORTS = {
  new: sql`r.id desc`,
  price: sql`r.goods_fen desc, r.id desc`,
  ending: sql`r.expires_at, r.id`,
} as const;

/** Matching open orders, in the requested order. */
export async function requestRows(
  db: Trx,
  where: RawBuilder<unknown>,
  page: { limit: number; offset?: number; by?: keyof typeof SORTS },
): Promise<RequestRow[]> {
  const { rows } = await sql<RequestRow>`
    select ${COLUMNS} from boost_request r join app_user b on b.id = r.buyer_id left join orders o on o.id = r.order_id
    where ${where} order by ${SORTS[page.by ?? 'new']} limit ${page.limit} offset ${page.offset ?? 0}`.execute(db);
  return rows;
}

/** How many open orders match. */
export async function countRequests(db: Trx, where: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from boost_request r where ${where}`.execute(db);
  return rows[0]?.n ?? 0;
}

/** An open order with its row locked until the transaction ends, so that claim, withdrawal and clock follow each other. */
export async function lockedRequest(trx: Trx, by: { sn: string } | { id: number }): Promise<RequestRow | undefined> {
  const which = 'sn' in by ? sql`r.sn = ${by.sn}` : sql`r.id = ${by.id}`;
  await sql`select from boost_request r where ${which} for update`.execute(trx);
  return (await requestRows(trx, which, { limit: 1 }))[0];
}

const UNITS = { hours: '小时', matches: '局' } as const;

/** The route between ranks, as text. */
export const titleOf = (r: Pick<RequestRow, 'scopeKind' | 'fromRank' | 'toRank' | 'num'>): string =>
  r.scopeKind === 'rank'
    ? `${r.fromRank} 打到 ${r.toRank}`
    : `代打 ${r.num} ${UNITS[r.scopeKind]}${r.toRank === '' ? '' : `，${r.toRank}`}`;

/** The amounts of an open order's stages. */
export const sharesOf = (r: Pick<RequestRow, 'goodsFen' | 'milestones'>): number[] =>
  milestoneShares(
    r.goodsFen,
    r.milestones.map((m) => m.shareBp),
  );

/** An open order as it is shown. */
export function requestView(r: RequestRow, all: Catalogue): Omit<View, 'net' | 'closed'> {
  const game = all.known(r.gameId);
  const shares = sharesOf(r);
  return {
    requestSn: r.sn,
    gameId: r.gameId,
    gameName: game?.name ?? '',
    kind: r.kind,
    kindName: game ? (serviceKinds(game, BOOSTING).find((k) => k.value === r.kind)?.label ?? '') : '',
    scopeKind: r.scopeKind,
    title: titleOf(r),
    fromRank: r.fromRank,
    toRank: r.toRank,
    num: r.num,
    area: r.area,
    note: r.note,
    mode: r.mode,
    modeName: modeName(r.mode, BOOSTING),
    hours: Math.round(r.minutes / 60),
    price: r.goodsFen,
    safetyDeposit: r.safetyFen,
    efficiencyDeposit: r.efficiencyFen,
    milestones: r.milestones.map((m, i) => ({
      title: m.title,
      sharePercent: m.shareBp / 100,
      amount: shares[i] ?? 0,
    })),
    status: r.status,
    statusName: STATUS_NAMES[r.status],
    createTime: r.createdAt,
    expireTime: r.expiresAt,
  };
}
