import { isService } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { updatetGoods } from '#subjects/goods/contract/goods.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { editDraftKey, offerActions, type OfferAction } from '../../rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { fen } from '#contract/wire.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import type { Idem, UserCall } from '#server/access/call.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { type AccountIdentity, accountIdentity } from '#server/kernel/account-identity.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import type { StoredPicture } from '#subjects/media/server/service.ts';
import { saveFindings } from '../review/findings.ts';
import { reindexGoods } from '../search/reindex.ts';
import {
  publishSubmitted,
  checkNewSellerPrice,
  checkListingLimits,
  loadPictures,
  record,
  requireSeller,
  requireSubmissionQuota,
} from './release.ts';
import { checkedOffer, type Offer, sellableGame } from './release-form.ts';
import { actorOf, checkKeyDrop } from './by-key.ts';
import { settlePasswordDue } from './password-due.ts';
import { changedTerms, TERM_COLUMNS, TERM_NAMES, type Terms, termsBody, termValues } from '../terms/terms.ts';

/** A listing of the caller, locked until the transaction ends. */
interface Own extends Terms {
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
  pictures: StoredPicture[];
  fingerprint: Buffer | null;
  status: number;
  /** Another person has seen the credentials since the listing was last put on sale. */
  passwordDue: boolean;
}

/**
 * Locks a listing of the user for an action. Throws GOODS_NOT_FOUND, also for another user's, and GOODS_STATE where the
 * state does not allow the action.
 */
async function lockOwn(trx: Trx, userId: number, sn: string, action: OfferAction): Promise<Own> {
  const { rows } = await sql<Own>`
    select g.id, g.sn, g.game_id as "gameId", g.type_id as "typeId", g.area_id as "areaId", g.server_id as "serverId", g.title, g.description,
      g.price_fen as "priceFen", g.stock, g.attrs, g.pictures, g.fingerprint, ${TERM_COLUMNS}, g.status, g.password_due_at is not null as "passwordDue"
    from goods g where g.sn = ${sn} and g.seller_id = ${userId} and g.status not in (${GoodsStatus.Draft}, ${GoodsStatus.Removed}) for update`.execute(
    trx,
  );
  const own = rows[0];
  if (!own) throw new AppError('GOODS_NOT_FOUND');
  if (isService(own.typeId)) throw errorOf('GOODS_STATE', 'service');
  if (!offerActions(own.status).includes(action)) throw new AppError('GOODS_STATE', { text: stateMessage(own.status) });
  return own;
}

function stateMessage(status: number): string {
  if (status === GoodsStatus.Locked) return '商品已被买家下单，订单结束前不能操作';
  if (status === GoodsStatus.Sold) return '商品已售出';
  if (status === GoodsStatus.Reviewing) return '商品正在审核，请等待结果';
  if (status === GoodsStatus.Rejected) return '商品未通过审核，请修改后重新提交';
  return '商品当前状态不能进行此操作';
}

const ART_KEY = /^art-(\d{1,2})$/;

/** The key of a picture in the edit form. Generated pictures have no key and are named by their index. */
export function pictureKey(item: StoredPicture, index: number): string {
  return 'art' in item ? `art-${index}` : item.key;
}

/** The pictures of an edit: generated ones are kept by index, the others are the seller's uploads. Throws PICTURE_BROKEN. */
async function editedPictures(trx: Trx, userId: number, own: Own, keys: readonly string[]): Promise<StoredPicture[]> {
  const once = [...new Set(keys)];
  const uploaded = await loadPictures(
    trx,
    userId,
    once.filter((k) => !ART_KEY.test(k)),
  );
  const byKey = new Map(uploaded.flatMap((p) => ('key' in p ? [[p.key, p] as const] : [])));
  return once.map((key) => {
    const index = ART_KEY.exec(key)?.[1];
    const item = index === undefined ? byKey.get(key) : own.pictures[Number(index)];
    if (!item || (index !== undefined && !('art' in item)))
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

/** The changes that need a new review: texts, pictures, attributes, region, account. Price, stock and terms do not. */
function changesOf(own: Own, offer: Offer, pictures: readonly StoredPicture[], fingerprint: Buffer | null): string[] {
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

/** The account that an edit names; undefined when it leaves the account as it is. */
const namedAccount = (call: UserCall, own: Own, accountNo: string | undefined): AccountIdentity | undefined =>
  accountNo !== undefined && accountTypes.includes(own.typeId)
    ? accountIdentity(call.ctx.keys, own.gameId, accountNo)
    : undefined;

/**
 * Edits a listing of the caller. Changes that need a review send it back to review (it then leaves the search); a change of price,
 * quantity or terms alone does not, except for a rejected listing, which is always submitted again. Each change increments the version,
 * so that a buyer never pays for other contents than those seen. Throws GOODS_NOT_FOUND, GOODS_STATE, GOODS_DUPLICATE,
 * GOODS_NEW_SELLER_*, BAD_INPUT, PICTURE_BROKEN, REAL_NAME_*, RATE_LIMITED.
 */
export async function edit(
  call: UserCall,
  input: Parsed<typeof updatetGoods>,
): Promise<{ goodsSn: string; status: number }> {
  return await editOwn(call, input.goodsSn, () => input);
}

/**
 * Adds text to the description of a listing of the caller by the ordinary edit, with its review; nothing else changes.
 * A text that the description already contains is not added again. `also` runs in the edit's transaction. Throws what
 * `edit` throws.
 */
export async function appendDescription(
  call: UserCall,
  goodsSn: string,
  text: string,
  also: (trx: Trx) => Promise<void>,
): Promise<{ goodsSn: string; status: number }> {
  const bodyOf = (own: Own) => ({
    ...unchanged(own),
    description: own.description.includes(text) ? own.description : `${own.description}\n${text}`.trim(),
  });
  return await editOwn(call, goodsSn, bodyOf, also);
}

/**
 * Gives a listing of the caller another title, and other terms where given, by the ordinary edit with its review. Throws what `edit`
 * throws.
 */
export async function changeTitle(
  call: UserCall,
  goodsSn: string,
  { bigTitle, priceFen, stock }: { bigTitle: string } & Partial<PriceAndStock>,
): Promise<{ goodsSn: string; status: number }> {
  return await editOwn(call, goodsSn, (own) => ({
    ...unchanged(own),
    bigTitle,
    ...(priceFen !== undefined && { price: fen(priceFen) }),
    ...(stock !== undefined && { stock }),
  }));
}

/** A listing as values of its edit form. */
const unchanged = (own: Own): Parsed<typeof updatetGoods> => ({
  goodsSn: own.sn,
  bigTitle: own.title,
  description: own.description,
  price: fen(own.priceFen),
  stock: own.stock,
  areaId: own.areaId ?? undefined,
  serverId: own.serverId ?? undefined,
  details: own.attrs,
  pictures: own.pictures.map(pictureKey),
  ...termsBody(own),
});

async function editOwn(
  call: UserCall,
  goodsSn: string,
  bodyOf: (own: Own) => Parsed<typeof updatetGoods>,
  also?: (trx: Trx) => Promise<void>,
): Promise<{ goodsSn: string; status: number }> {
  const { ctx, user } = call;
  await requireSeller(call);
  await requireSubmissionQuota(call);
  return await inTransaction(ctx.db, async (trx) => {
    const own = await lockOwn(trx, user.id, goodsSn, 'edit');
    const input = bodyOf(own);
    const offer = checkedOffer(
      ctx.blockedWords,
      await sellableGame(call, own.gameId, own.typeId),
      own.typeId,
      input,
      own,
    );
    const pictures = await editedPictures(trx, user.id, own, input.pictures);
    const account = namedAccount(call, own, input.accountNo);
    const fingerprint = account?.print ?? own.fingerprint;
    const reviewed = changesOf(own, offer, pictures, fingerprint);
    // An approved review puts the listing on sale, so a due password change must be confirmed now, for the old and the new account.
    const confirmed = input.passwordChanged === true;
    let passwordChanged = false;
    if (reviewed.length > 0)
      for (const print of [own.fingerprint, fingerprint])
        if (await settlePasswordDue(trx, { sellerId: user.id, fingerprint: print, confirmed })) passwordChanged = true;
    const terms = [
      own.priceFen !== offer.priceFen && 'price',
      own.stock !== offer.stock && 'stock',
      ...changedTerms(own, offer),
    ].filter((change) => change !== false);
    // A rejected listing does not count towards the limits; submitted again, it does.
    if (own.status === GoodsStatus.Rejected) await checkListingLimits(ctx, trx, user.id, offer.priceFen);
    else if (own.priceFen !== offer.priceFen) await checkNewSellerPrice(ctx, trx, user.id, offer.priceFen);
    if (own.priceFen !== offer.priceFen) await checkKeyDrop(call, trx, own, offer.priceFen);
    const again = reviewed.length > 0 || own.status === GoodsStatus.Rejected;
    const status = again ? GoodsStatus.Reviewing : own.status;
    if (again || terms.length > 0) {
      await sql`
        update goods set area_id = ${offer.areaId}, server_id = ${offer.serverId}, title = ${offer.title}, description = ${offer.description},
          price_fen = ${offer.priceFen}, stock = ${offer.stock}, attrs = ${JSON.stringify(offer.attrs)}::jsonb, fields_version = ${offer.fieldsVersion},
          pictures = ${JSON.stringify(pictures)}::jsonb, fingerprint = ${fingerprint},
          account_near = coalesce(${account?.near ?? null}::bytea, account_near), account_hint = coalesce(${account?.hint ?? null}::text, account_hint),
          source = ${offer.source},
          (${TERM_NAMES}) = row(${termValues(offer)}), status = ${status}, version = version + 1, updated_at = now()
        where id = ${own.id}`.execute(trx);
      if (status === GoodsStatus.Reviewing) await saveFindings(ctx, trx, own.id, offer.findings);
      await record(trx, own.id, 'edited', actorOf(call), {
        changed: [...reviewed, ...terms],
        ...(passwordChanged && { passwordChanged }),
      });
      if (own.priceFen !== offer.priceFen) await notePrice(trx, own, offer.priceFen, { status, actor: actorOf(call) });
      if (again) await publishSubmitted(trx, own.id, user.id);
      await reindexGoods(ctx, trx, own.id);
    }
    await also?.(trx);
    await sql`delete from goods_draft where user_id = ${user.id} and draft_key = ${editDraftKey(own.sn)}`.execute(trx);
    return { goodsSn: own.sn, status };
  });
}

/** Records a price change in the listing's history, and publishes it for price alerts while the listing is on sale. */
async function notePrice(
  trx: Trx,
  own: Own,
  priceFen: number,
  { status, actor }: { status: number; actor: string },
): Promise<void> {
  const payload = { goodsId: own.id, fromFen: own.priceFen, toFen: priceFen };
  await record(trx, own.id, 'price', actor, { fromFen: own.priceFen, toFen: priceFen });
  if (status === GoodsStatus.OnSale) await emit(trx, 'goods.price', payload);
}

/** The price of a listing, in fen, and its stock. */
export interface PriceAndStock {
  priceFen: number;
  stock: number;
}

/**
 * Changes price and quantity, without review; `next` computes them from the current ones. Unchanged terms are a no-op. Throws
 * GOODS_NOT_FOUND, GOODS_STATE, GOODS_NEW_SELLER_PRICE, KEY_DROP, BAD_INPUT for an account that is not one, and what `next` throws.
 */
export async function changePriceAndStock(
  call: UserCall,
  sn: string,
  next: (from: PriceAndStock) => Partial<PriceAndStock>,
  idem?: Idem,
): Promise<PriceAndStock & { status: number }> {
  const { ctx, user } = call;
  return await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, idem, async () => {
      const own = await lockOwn(trx, user.id, sn, 'price');
      const { status } = own;
      const { priceFen = own.priceFen, stock = own.stock } = next(own);
      const isPriced = own.priceFen !== priceFen;
      const isCounted = own.stock !== stock;
      if (isPriced) {
        await checkNewSellerPrice(ctx, trx, user.id, priceFen);
        await checkKeyDrop(call, trx, own, priceFen);
      }
      if (isCounted && accountTypes.includes(own.typeId))
        throw new AppError('BAD_INPUT', { text: '账号只有一件，库存应为 1', field: 'stock' });
      if (!isPriced && !isCounted) return { priceFen, stock, status };
      await sql`update goods set price_fen = ${priceFen}, stock = ${stock}, version = version + 1,
          updated_at = case when status = ${GoodsStatus.Reviewing} then updated_at else now() end
        where id = ${own.id}`.execute(trx);
      if (isCounted) await record(trx, own.id, 'edited', actorOf(call), { changed: ['stock'] });
      if (isPriced) await notePrice(trx, own, priceFen, { status, actor: actorOf(call) });
      await reindexGoods(ctx, trx, own.id);
      return { priceFen, stock, status };
    }),
  );
}

/** Changes only the price; `next` computes the new one from the current one, in fen. Throws what `changePriceAndStock` throws. */
export async function changePrice(
  call: UserCall,
  sn: string,
  next: (fromFen: number) => number,
  idem?: Idem,
): Promise<{ priceFen: number; status: number }> {
  return await changePriceAndStock(call, sn, ({ priceFen }) => ({ priceFen: next(priceFen) }), idem);
}

const saleActions = {
  push: { status: GoodsStatus.OnSale, kind: 'on' },
  pull: { status: GoodsStatus.OffSale, kind: 'off' },
  remove: { status: GoodsStatus.Removed, kind: 'removed' },
} as const;

/**
 * Puts a listing of the caller on sale again, takes it off sale, or removes it. Idempotent. A listing that was never approved cannot be
 * put on sale this way; an account whose credentials another person has seen goes on sale again only when the seller confirms that its
 * password was changed, which is recorded. Throws GOODS_NOT_FOUND, GOODS_STATE, GOODS_STOCK, GOODS_PASSWORD_DUE, REAL_NAME_*.
 */
export async function changeSaleState(
  call: UserCall,
  sn: string,
  action: 'push' | 'pull' | 'remove',
  {
    passwordChanged = false,
    detail = {},
  }: { passwordChanged?: boolean | undefined; detail?: Record<string, unknown> } = {},
): Promise<{ goodsSn: string; status: number }> {
  const { ctx, user } = call;
  const { status, kind } = saleActions[action];
  if (action === 'push') await requireSeller(call);
  return await inTransaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ status: number }>`
      select status from goods where sn = ${sn} and seller_id = ${user.id} for update`.execute(trx);
    if (rows[0]?.status === status) return { goodsSn: sn, status };
    const own = await lockOwn(trx, user.id, sn, action);
    if (action === 'push' && own.stock < 1) throw new AppError('GOODS_STOCK', { text: '库存为 0，请先修改库存' });
    const needsConfirmation = action === 'push' && own.passwordDue;
    if (needsConfirmation && !passwordChanged) throw new AppError('GOODS_PASSWORD_DUE');
    await sql`update goods set status = ${status}, password_due_at = case when not ${needsConfirmation} then password_due_at end, updated_at = now()
      where id = ${own.id}`.execute(trx);
    await record(trx, own.id, kind, actorOf(call), { ...detail, ...(needsConfirmation && { passwordChanged: true }) });
    await emit(trx, `goods.${kind}`, { goodsId: own.id });
    await reindexGoods(ctx, trx, own.id);
    return { goodsSn: own.sn, status };
  });
}

/** Minimum time between two refreshes of a listing. */
const REFRESH_MS = 3_600_000;

/** Moves a listing on sale to the front of 'newest', at most once an hour. Throws GOODS_NOT_FOUND, GOODS_STATE, RATE_LIMITED. */
export async function refresh(call: UserCall, sn: string, idem?: Idem): Promise<{ refreshTime: Date }> {
  const { ctx, user } = call;
  const done = await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, idem, async () => {
      const own = await lockOwn(trx, user.id, sn, 'refresh');
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
      const updated = await sql<{ at: Date }>`
        update goods set refreshed_at = now() where id = ${own.id} returning refreshed_at as at`.execute(trx);
      await reindexGoods(ctx, trx, own.id);
      // The response of an idempotency key is stored as JSON, so the time is returned as text.
      return { at: (updated.rows[0]?.at ?? new Date()).toISOString() };
    }),
  );
  return { refreshTime: new Date(done.at) };
}
