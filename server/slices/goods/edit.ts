import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { updatetGoods } from '#contract/goods.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { editDraftKey, offerActions, type OfferAction } from '#contract/rules/offer.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import type { Idem, UserCall } from '#server/access/call.ts';
import { accountFingerprint } from '#server/kernel/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { PictureItem } from '#server/slices/media/service.ts';
import { saveFindings } from './findings.ts';
import { reindexGoods } from './reindex.ts';
import {
  announceSubmitted,
  checkPrice,
  checkRoom,
  picturesOf,
  record,
  requireSeller,
  takeSubmission,
} from './release.ts';
import { checkedOffer, type Offer, sellableGame } from './release-form.ts';
import { settlePasswordDue } from './seen-password.ts';

/** One's own goods, held until the transaction ends. */
interface Own {
  id: number;
  sn: string;
  gameId: number;
  typeId: number;
  areaId: number | null;
  serverId: number | null;
  title: string;
  description: string;
  priceFen: number;
  stock: number;
  attrs: Record<string, unknown>;
  pictures: PictureItem[];
  fingerprint: Buffer | null;
  bargainOk: boolean;
  guaranteeOk: boolean;
  status: number;
  /** Somebody else has seen the credentials since the goods were last put on sale. */
  passwordDue: boolean;
}

/** Holds one's own goods for an act. Throws GOODS_NOT_FOUND also for another's, GOODS_STATE where the state does not allow the act. */
async function holdOwn(trx: Trx, userId: number, sn: string, act: OfferAction): Promise<Own> {
  const { rows } = await sql<Own>`
    select id, sn, game_id as "gameId", type_id as "typeId", area_id as "areaId", server_id as "serverId", title, description,
      price_fen as "priceFen", stock, attrs, pictures, fingerprint, bargain_ok as "bargainOk", guarantee_ok as "guaranteeOk", status,
      password_due_at is not null as "passwordDue"
    from goods where sn = ${sn} and seller_id = ${userId} and status not in (${GoodsStatus.Draft}, ${GoodsStatus.Removed}) for update`.execute(
    trx,
  );
  const own = rows[0];
  if (!own) throw new AppError('GOODS_NOT_FOUND');
  if (!offerActions(own.status).includes(act)) throw new AppError('GOODS_STATE', { text: whyNot(own.status) });
  return own;
}

function whyNot(status: number): string {
  if (status === GoodsStatus.Locked) return '商品已被买家下单，订单结束前不能操作';
  if (status === GoodsStatus.Sold) return '商品已售出';
  if (status === GoodsStatus.Reviewing) return '商品正在审核，请等待结果';
  if (status === GoodsStatus.Rejected) return '商品未通过审核，请修改后重新提交';
  return '商品当前状态不能进行此操作';
}

const ART_KEY = /^art-(\d{1,2})$/;

/** Drawn pictures have no key of their own; the edit form names them by their place. */
export function pictureKey(item: PictureItem, index: number): string {
  return 'art' in item ? `art-${index}` : item.key;
}

/** The pictures of an edit: those that were drawn stay by their place, the others are the seller's own uploads. Throws PICTURE_BROKEN. */
async function editedPictures(trx: Trx, userId: number, own: Own, keys: readonly string[]): Promise<PictureItem[]> {
  const once = [...new Set(keys)];
  const uploaded = await picturesOf(
    trx,
    userId,
    once.filter((k) => !ART_KEY.test(k)),
  );
  const byKey = new Map(uploaded.flatMap((p) => ('key' in p ? [[p.key, p] as const] : [])));
  return once.map((key) => {
    const place = ART_KEY.exec(key)?.[1];
    const item = place === undefined ? byKey.get(key) : own.pictures[Number(place)];
    if (!item || (place !== undefined && !('art' in item)))
      throw new AppError('PICTURE_BROKEN', { text: '图片不存在，请重新上传', field: 'pictures' });
    return item;
  });
}

function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, v: unknown) =>
    typeof v === 'object' && v !== null && !Array.isArray(v)
      ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
      : v,
  );
}

/** What a reviewer must see again: words, pictures, attributes, place, account. Price, stock and terms are the seller's alone. */
function changesOf(own: Own, offer: Offer, pictures: readonly PictureItem[], fingerprint: Buffer | null): string[] {
  const accountSame =
    own.fingerprint === null || fingerprint === null
      ? own.fingerprint === fingerprint
      : own.fingerprint.equals(fingerprint);
  return [
    own.title !== offer.title && 'title',
    own.description !== offer.description && 'description',
    (own.areaId !== offer.areaId || own.serverId !== offer.serverId) && 'place',
    sortedJson(own.attrs) !== sortedJson(offer.attrs) && 'attrs',
    sortedJson(own.pictures) !== sortedJson(pictures) && 'pictures',
    !accountSame && 'account',
  ].filter((change) => change !== false);
}

function fingerprintOf(call: UserCall, own: Own, offer: Offer, accountNo: string | undefined): Buffer | null {
  if (!accountTypes.includes(own.typeId)) return null;
  if (accountNo !== undefined) return accountFingerprint(call.ctx.keys, own.gameId, offer.serverId, accountNo);
  // The hash holds the server as well: without the account it cannot be made for another one.
  if (own.fingerprint !== null && own.serverId !== offer.serverId)
    throw new AppError('BAD_INPUT', { text: '更换服务器后请重新填写游戏账号', field: 'accountNo' });
  return own.fingerprint;
}

/**
 * Changes one's own goods. What a reviewer must see again sends it back to review (a live one leaves search with this); price,
 * quantity and terms alone do not, save for rejected goods, which are sent again in any case. Each change moves the version, so that
 * nobody pays for what has changed. Throws GOODS_NOT_FOUND, GOODS_STATE, GOODS_DUPLICATE, GOODS_NEW_SELLER_*, BAD_INPUT,
 * PICTURE_BROKEN, REAL_NAME_*, RATE_LIMITED.
 */
export async function edit(
  call: UserCall,
  input: Parsed<typeof updatetGoods>,
): Promise<{ goodsSn: string; status: number }> {
  const { ctx, user } = call;
  await requireSeller(call);
  await takeSubmission(call);
  return await inTransaction(ctx.db, async (trx) => {
    const own = await holdOwn(trx, user.id, input.goodsSn, 'edit');
    const offer = checkedOffer(await sellableGame(call, own.gameId, own.typeId), own.typeId, input);
    const pictures = await editedPictures(trx, user.id, own, input.pictures);
    const fingerprint = fingerprintOf(call, own, offer, input.accountNo);
    const reviewed = changesOf(own, offer, pictures, fingerprint);
    // A review ends on sale: what the seller has to say comes first, of the account that it was and of the one that it becomes.
    const says = input.passwordChanged === true;
    let passwordChanged = false;
    if (reviewed.length > 0)
      for (const print of [own.fingerprint, fingerprint])
        if (await settlePasswordDue(trx, { sellerId: user.id, fingerprint: print, says })) passwordChanged = true;
    const terms = [
      own.priceFen !== offer.priceFen && 'price',
      own.stock !== offer.stock && 'stock',
      own.bargainOk !== offer.bargainOk && 'bargain',
      own.guaranteeOk !== offer.guaranteeOk && 'guarantee',
    ].filter((change) => change !== false);
    // Rejected goods do not count as listed; sent again, they do.
    if (own.status === GoodsStatus.Rejected) await checkRoom(ctx, trx, user.id, offer.priceFen);
    else if (own.priceFen !== offer.priceFen) await checkPrice(ctx, trx, user.id, offer.priceFen);
    const again = reviewed.length > 0 || own.status === GoodsStatus.Rejected;
    const status = again ? GoodsStatus.Reviewing : own.status;
    if (again || terms.length > 0) {
      await sql`
        update goods set area_id = ${offer.areaId}, server_id = ${offer.serverId}, title = ${offer.title}, description = ${offer.description},
          price_fen = ${offer.priceFen}, stock = ${offer.stock}, attrs = ${JSON.stringify(offer.attrs)}::jsonb, fields_version = ${offer.fieldsVersion},
          pictures = ${JSON.stringify(pictures)}::jsonb, fingerprint = ${fingerprint}, source = ${offer.source}, bargain_ok = ${offer.bargainOk},
          guarantee_ok = ${offer.guaranteeOk}, status = ${status}, version = version + 1, updated_at = now()
        where id = ${own.id}`.execute(trx);
      if (status === GoodsStatus.Reviewing) await saveFindings(ctx, trx, own.id, offer.findings);
      await record(trx, own.id, 'edited', `user:${user.id}`, {
        changed: [...reviewed, ...terms],
        ...(passwordChanged && { passwordChanged }),
      });
      if (own.priceFen !== offer.priceFen) await announcePrice(trx, own, offer.priceFen, status);
      if (again) await announceSubmitted(trx, own.id, user.id);
      await reindexGoods(ctx, trx, own.id);
    }
    await sql`delete from goods_draft where user_id = ${user.id} and draft_key = ${editDraftKey(own.sn)}`.execute(trx);
    return { goodsSn: own.sn, status };
  });
}

/** History for price alerts and the account passport; buyers hear of it only while the goods are on sale. */
async function announcePrice(trx: Trx, own: Own, priceFen: number, status: number): Promise<void> {
  const payload = { goodsId: own.id, fromFen: own.priceFen, toFen: priceFen };
  if (status === GoodsStatus.OnSale)
    await sql`insert into outbox (topic, payload) values ('goods.price', ${JSON.stringify(payload)}::jsonb)`.execute(
      trx,
    );
}

/**
 * Changes the price alone, without review; `next` gives the new price from the one it has, in fen. The same price again changes
 * nothing. Throws GOODS_NOT_FOUND, GOODS_STATE, GOODS_NEW_SELLER_PRICE, and what `next` throws.
 */
export async function changePrice(
  call: UserCall,
  sn: string,
  next: (fromFen: number) => number,
  idem?: Idem,
): Promise<{ priceFen: number; status: number }> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, idem, async () => {
      const own = await holdOwn(trx, user.id, sn, 'price');
      const priceFen = next(own.priceFen);
      const { status } = own;
      if (own.priceFen === priceFen) return { priceFen, status };
      await checkPrice(ctx, trx, user.id, priceFen);
      await sql`update goods set price_fen = ${priceFen}, version = version + 1, updated_at = case when status = ${GoodsStatus.Reviewing} then updated_at else now() end
        where id = ${own.id}`.execute(trx);
      await record(trx, own.id, 'price', `user:${user.id}`, { fromFen: own.priceFen, toFen: priceFen });
      await announcePrice(trx, own, priceFen, status);
      await reindexGoods(ctx, trx, own.id);
      return { priceFen, status };
    }),
  );
}

const shelf = {
  push: { status: GoodsStatus.OnSale, kind: 'on' },
  pull: { status: GoodsStatus.OffSale, kind: 'off' },
  remove: { status: GoodsStatus.Removed, kind: 'removed' },
} as const;

/**
 * Puts one's own goods on sale again, takes them off, or removes them for good. Doing it again answers the same. Goods that were never
 * approved cannot be put on sale by it; an account whose credentials somebody else has seen goes back on sale once the seller says that its
 * password was changed, which stays on record. Throws GOODS_NOT_FOUND, GOODS_STATE, GOODS_STOCK, GOODS_PASSWORD_DUE, REAL_NAME_*.
 */
export async function moveOnShelf(
  call: UserCall,
  sn: string,
  act: 'push' | 'pull' | 'remove',
  passwordChanged = false,
): Promise<{ goodsSn: string; status: number }> {
  const { ctx, user } = call;
  const { status, kind } = shelf[act];
  if (act === 'push') await requireSeller(call);
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ status: number }>`
      select status from goods where sn = ${sn} and seller_id = ${user.id} for update`.execute(trx);
    if (rows[0]?.status === status) return { goodsSn: sn, status };
    const own = await holdOwn(trx, user.id, sn, act);
    if (act === 'push' && own.stock < 1) throw new AppError('GOODS_STOCK', { text: '库存为 0，请先修改库存' });
    const says = act === 'push' && own.passwordDue;
    if (says && !passwordChanged) throw new AppError('GOODS_PASSWORD_DUE');
    await sql`update goods set status = ${status}, password_due_at = case when not ${says} then password_due_at end, updated_at = now()
      where id = ${own.id}`.execute(trx);
    await record(trx, own.id, kind, `user:${user.id}`, says ? { passwordChanged: true } : undefined);
    await sql`insert into outbox (topic, payload) values (${`goods.${kind}`}, ${JSON.stringify({ goodsId: own.id })}::jsonb)`.execute(
      trx,
    );
    await reindexGoods(ctx, trx, own.id);
    return { goodsSn: own.sn, status };
  });
}

/** A goods can be moved up so often. */
const REFRESH_MS = 3_600_000;

/** Moves goods on sale to the front of 'newest', once an hour. Throws GOODS_NOT_FOUND, GOODS_STATE, RATE_LIMITED. */
export async function refresh(call: UserCall, sn: string, idem?: Idem): Promise<{ refreshTime: Date }> {
  const { ctx, user } = call;
  const done = await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, idem, async () => {
      const own = await holdOwn(trx, user.id, sn, 'refresh');
      const { rows } = await sql<{ before: Date; now: Date }>`
        select refreshed_at as before, now() as now from goods where id = ${own.id}`.execute(trx);
      const waited = rows[0] ? rows[0].now.getTime() - rows[0].before.getTime() : REFRESH_MS;
      if (waited < REFRESH_MS) {
        const minutes = Math.ceil((REFRESH_MS - waited) / 60_000);
        throw new AppError('RATE_LIMITED', {
          text: `每件商品每小时可刷新一次，请 ${minutes} 分钟后再试`,
          retryAfterSeconds: minutes * 60,
        });
      }
      const moved = await sql<{ at: Date }>`
        update goods set refreshed_at = now() where id = ${own.id} returning refreshed_at as at`.execute(trx);
      await reindexGoods(ctx, trx, own.id);
      // Facts of a key are kept as JSON, so a time is kept as its text.
      return { at: (moved.rows[0]?.at ?? new Date()).toISOString() };
    }),
  );
  return { refreshTime: new Date(done.at) };
}
