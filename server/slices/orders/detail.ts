import { sql } from 'kysely';
import type { Answer } from '#contract/endpoint.ts';
import type { orderDetail } from '#contract/order.ts';
import type { Db } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Catalogue, readableAttrs } from '#server/slices/games/service.ts';
import { pictureUrls } from '#server/slices/media/service.ts';
import { currentStep, type HandoverRow, handoverRows, sealsOf } from './handover.ts';
import { oneOrder, type OrderRow, processOf } from './list.ts';
import { actsOf, type HoldState, listItemOf, moneyOf, stepsOf } from './view.ts';

type Detail = Answer<typeof orderDetail>;

const actorNames = { buyer: '买家', seller: '卖家', staff: '平台客服' } as const;

/** The protection hold of a completed order. */
export async function holdOf(db: Db, orderId: number): Promise<HoldState | null> {
  const { rows } = await sql<HoldState>`
    select release_at as "releaseAt", released_at as "releasedAt" from hold where code = 'sale_protection' and ref = ${String(orderId)}`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Required steps still open, before shipping and in all. */
export function openRequired(rows: readonly HandoverRow[]): { beforeShip: number; all: number } {
  const open = rows.filter((r) => r.required && r.doneAt === null);
  return { beforeShip: open.filter((r) => r.beforeShip).length, all: open.length };
}

async function handoverView(
  db: Db,
  r: OrderRow,
  rows: readonly HandoverRow[],
  viewer: 'buyer' | 'seller' | 'staff',
): Promise<Detail['handover']> {
  const seals = await sealsOf(db, r.id);
  const now = currentStep(rows, r.status);
  const running = r.status === 1 || r.status === 2;
  return rows.map((s) => {
    const sealed = seals.get(s.step);
    return {
      step: s.step,
      key: s.key,
      title: s.title,
      actor: s.actor,
      actorName: actorNames[s.actor],
      minutes: s.minutes,
      required: s.required,
      beforeShip: s.beforeShip,
      needsEvidence: s.evidence,
      secret: s.secret,
      explain: s.explain,
      state: s.doneAt ? 'done' : s.step === now?.step ? 'current' : 'waiting',
      mine: s.actor === viewer,
      doneTime: s.doneAt,
      doneBy:
        s.doneBy === null
          ? null
          : s.doneBy.startsWith('staff')
            ? '平台客服'
            : s.doneBy === `user:${r.seller_id}`
              ? '卖家'
              : '买家',
      pictures: s.pictures.map((p) => ({ url: `/img/${p.key}`, thumb: `/img/${p.key}?w=320` })),
      sealed: s.secret
        ? {
            sent: sealed !== undefined,
            revealed: sealed?.revealed ?? false,
            erased: sealed?.erased ?? false,
            canReveal:
              running && sealed !== undefined && !sealed.revealed && !sealed.erased && sealed.for_actor === viewer,
            canSend: running && s.doneAt === null && (s.actor === viewer || s.actor === 'staff') && viewer !== 'staff',
          }
        : null,
    };
  });
}

/** An order whole, as a party or staff sees it. Throws ORDER_NOT_FOUND, the same for foreign and missing ones. */
export async function detailOf(
  db: Db,
  catalogue: Catalogue,
  sn: string,
  who: { userId: number } | { staffDistId: number | null },
): Promise<Detail & { buyerId: string; sellerId: string }> {
  const userId = 'userId' in who ? who.userId : null;
  const r = await oneOrder(db, sn, userId, 'staffDistId' in who ? who.staffDistId : null);
  if (!r) throw new AppError('ORDER_NOT_FOUND');
  const role = userId === null ? 'staff' : r.buyer_id === userId ? 'buyer' : 'seller';
  const viewer = role === 'seller' ? 'seller' : 'buyer';
  const [rows, process, hold] = await Promise.all([handoverRows(db, r.id), processOf(db, r.id), holdOf(db, r.id)]);
  const { areaName, serverName, gameName, attrs } = r.snapshot;
  return {
    ...listItemOf(r, viewer),
    acts: actsOf(r, role, openRequired(rows)),
    lines: r.fees.map((f) => ({ code: f.code, label: f.label, amount: f.fen, rule: f.rule })),
    attrs: r.game_id === null ? [] : readableAttrs(catalogue, r.game_id, attrs),
    areaText: [areaName, serverName].filter(Boolean).join(' / '),
    gameName,
    process,
    steps: stepsOf(r, rows, hold?.releaseAt ?? null, Boolean(hold?.releasedAt)),
    handover: await handoverView(db, r, rows, role),
    money: moneyOf(r, role === 'staff' ? 'seller' : viewer, hold),
    staffName: r.staff_name,
    cancelAsked: r.cancel_asked_at !== null && r.status === 1,
    payExpireTime: r.status === 0 ? r.expires_at : null,
    viewer,
    thumbnail: r.snapshot.picture
      ? pictureUrls(r.snapshot.picture, r.snapshot.gameCode).thumb
      : `/art/game/${r.snapshot.gameCode}.svg`,
    buyerId: String(r.buyer_id),
    sellerId: String(r.seller_id),
  };
}
