import { GoodsStatus, AuthStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Parsed } from '#contract/endpoint.ts';
import type { releaseGoods } from '#subjects/goods/contract/goods.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { sellDraftKey } from '../../rules/listing-states.ts';
import type { Context } from '#server/context.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent } from '#server/db/idempotent.ts';
import { sharedHit } from '#server/access/limits.ts';
import type { UserCall } from '#server/access/call.ts';
import { emit } from '#server/jobs/effect-writer.ts';
import { type AccountIdentity, accountIdentity } from '#server/kernel/account-identity.ts';
import { requireConsents } from '#subjects/accounts/server/service.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ownPictures, type StoredPicture } from '#subjects/media/server/service.ts';
import { depositLevel } from '#subjects/deposits/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { saveFindings } from '../review/findings.ts';
import { checkedOffer, type Offer, sellableGame } from './release-form.ts';
import { actorOf } from './by-key.ts';
import { settlePasswordDue } from './password-due.ts';
import { TERM_NAMES, termValues } from '../terms/terms.ts';

/** Listings submitted for review per day, new and edited; a file with more continues the next day. */
const PER_DAY = 300;
const DAY_SECONDS = 86_400;
const PICTURE_KEY = /^[a-z0-9-]{1,60}$/;

/**
 * The limits of a new seller, who has too few sales to unrelated buyers (domain.md 8), private deals included; null for other sellers.
 * Price in fen.
 */
export async function newSellerLimits(
  ctx: Context,
  trx: Trx,
  userId: number,
): Promise<{ sales: number; left: number; count: number; maxFen: number } | null> {
  const rule = ctx.dir.setting('new_seller');
  const { rows } = await sql<{ sold: number; listed: number }>`
    select unrelated_sales(${userId}, ${rule.sales}) as sold, seller_offers(${userId}) as listed`.execute(trx);
  const row = rows[0];
  if (!row || row.sold >= rule.sales) return null;
  // A deposit raises the number of listings, never the price limit.
  const deposit = await depositLevel(trx, userId, 'seller');
  const count = Math.max(rule.count, deposit?.limits.listings ?? 0);
  return { sales: rule.sales, count, left: Math.max(0, count - row.listed), maxFen: rule.maxFen };
}

/**
 * Checks that a seller may have one more listing at this price (fen). Locks the seller's row, so that concurrent requests cannot exceed
 * the limit together; call it in the transaction of the listing. Throws GOODS_NEW_SELLER_COUNT, GOODS_NEW_SELLER_PRICE.
 */
export async function checkListingLimits(ctx: Context, trx: Trx, userId: number, priceFen: number): Promise<void> {
  await sql`select from app_user where id = ${userId} for no key update`.execute(trx);
  const limits = await newSellerLimits(ctx, trx, userId);
  if (limits && limits.left === 0)
    throw new AppError('GOODS_NEW_SELLER_COUNT', {
      text: `完成 ${limits.sales} 笔交易前最多同时发布 ${limits.count} 件商品，缴纳卖家保证金可提高`,
    });
  if (limits && priceFen > limits.maxFen) throw new AppError('GOODS_NEW_SELLER_PRICE', { field: 'price' });
}

/** Throws GOODS_NEW_SELLER_PRICE for a price (fen) above a new seller's limit. */
export async function checkNewSellerPrice(ctx: Context, trx: Trx, userId: number, priceFen: number): Promise<void> {
  const limits = await newSellerLimits(ctx, trx, userId);
  if (limits && priceFen > limits.maxFen) throw new AppError('GOODS_NEW_SELLER_PRICE', { field: 'price' });
}

/** Only a verified adult may sell (domain.md 4). Throws REAL_NAME_REQUIRED, REAL_NAME_MINOR. */
export async function requireSeller({ ctx, user }: UserCall): Promise<void> {
  if (user.authStatus !== AuthStatus.Verified)
    throw new AppError('REAL_NAME_REQUIRED', { text: '发布商品前请先完成实名认证' });
  await requireAdult(ctx.db, user.id);
}

/** Counts a submission against the seller's daily quota, which all processes share. Throws RATE_LIMITED. */
export async function requireSubmissionQuota({ ctx, user }: UserCall): Promise<void> {
  if (!(await sharedHit(ctx.db, `publish:${user.id}`, PER_DAY, DAY_SECONDS)))
    throw new AppError('RATE_LIMITED', {
      text: '今日提交审核次数已达上限，请明天再试',
      retryAfterSeconds: DAY_SECONDS,
    });
}

/** The pictures of the seller's own uploads, without duplicates. Throws PICTURE_BROKEN. */
export async function loadPictures(trx: Trx, userId: number, keys: readonly string[]): Promise<StoredPicture[]> {
  if (!keys.every((key) => PICTURE_KEY.test(key)))
    throw new AppError('PICTURE_BROKEN', { text: '图片不存在，请重新上传', field: 'pictures' });
  return await ownPictures(trx, userId, 'goods', [...new Set(keys)]);
}

/** Adds an entry to the listing's history. `detail` holds what changed. */
export async function record(
  trx: Trx,
  goodsId: number,
  kind: string,
  actor: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await sql`insert into goods_event (goods_id, kind, actor, detail) values (${goodsId}, ${kind}, ${actor}, ${JSON.stringify(detail)}::jsonb)`.execute(
    trx,
  );
}

/** Publishes that a listing was submitted for review. */
export async function publishSubmitted(trx: Trx, goodsId: number, sellerId: number): Promise<void> {
  await emit(trx, 'goods.submitted', { goodsId, sellerId });
}

interface NewGoods {
  distId: number;
  sellerId: number;
  gameId: number;
  typeId: number;
  offer: Offer;
  pictures: readonly StoredPicture[];
  account: AccountIdentity | null;
  /** The number that the seller's files use for the listing. */
  importKey?: string | undefined;
}

/** A listing that its seller removed frees its number. */
async function freeImportKey(trx: Trx, sellerId: number, importKey: string): Promise<void> {
  await sql`update goods set import_key = null
    where seller_id = ${sellerId} and import_key = ${importKey} and status = ${GoodsStatus.Removed}`.execute(trx);
}

/** Stores a listing for review. Throws GOODS_DUPLICATE when the seller has one with this number. */
export async function insertGoods(trx: Trx, g: NewGoods): Promise<{ id: number; sn: string }> {
  const { offer: o } = g;
  const { rows } = await sql<{ id: number; sn: string }>`
    insert into goods (dist_id, seller_id, game_id, type_id, area_id, server_id, title, description, price_fen, stock, attrs, fields_version,
      pictures, fingerprint, account_near, account_hint, import_key, source, ${TERM_NAMES}, status)
    values (${g.distId}, ${g.sellerId}, ${g.gameId}, ${g.typeId}, ${o.areaId}, ${o.serverId}, ${o.title}, ${o.description}, ${o.priceFen}, ${o.stock},
      ${JSON.stringify(o.attrs)}::jsonb, ${o.fieldsVersion}, ${JSON.stringify(g.pictures)}::jsonb, ${g.account?.print ?? null}, ${g.account?.near ?? null}, ${g.account?.hint ?? null}, ${g.importKey ?? null}, ${o.source}, ${termValues(o)},
      ${GoodsStatus.Reviewing})
    on conflict (seller_id, import_key) where import_key is not null do nothing returning id, sn`.execute(trx);
  const created = rows[0];
  if (!created) throw new AppError('GOODS_DUPLICATE', { text: '您已发布过这个编号的商品', field: 'code' });
  await sql`insert into goods_stat (goods_id) values (${created.id}) on conflict do nothing`.execute(trx);
  return created;
}

/**
 * Publishes a listing: validates it, submits it for review and deletes the draft, in one transaction. The same idempotency key returns
 * the same listing. Throws REAL_NAME_*, NOT_FOUND (game), GOODS_TYPE_UNSUPPORTED, BAD_INPUT, PICTURE_BROKEN, GOODS_DUPLICATE (the account
 * is already listed), GOODS_PASSWORD_DUE, GOODS_NEW_SELLER_*, RATE_LIMITED. `importKey` is the number by which the seller's file names it.
 */
export async function release(
  call: UserCall,
  input: Parsed<typeof releaseGoods>,
  { importKey }: { importKey?: string } = {},
): Promise<{ goodsSn: string; status: number }> {
  const { ctx, user, dist } = call;
  await requireSeller(call);
  await requireConsents(call.ctx.db, call.user.id);
  const { gameId, goodsTypeId: typeId } = input;
  const game = await sellableGame(call, gameId, typeId);
  const offer = checkedOffer(ctx.blockedWords, game, typeId, input);
  const isAccount = accountTypes.includes(typeId);
  await requireSubmissionQuota(call);
  return await inTransaction(ctx.db, async (trx) =>
    idempotent(trx, call.idem, async () => {
      await checkListingLimits(ctx, trx, user.id, offer.priceFen);
      const account =
        isAccount && input.accountNo !== undefined ? accountIdentity(ctx.keys, gameId, input.accountNo) : null;
      const confirmed = input.passwordChanged === true;
      const passwordChanged = await settlePasswordDue(trx, {
        sellerId: user.id,
        fingerprint: account?.print ?? null,
        confirmed,
      });
      if (importKey !== undefined) await freeImportKey(trx, user.id, importKey);
      const created = await insertGoods(trx, {
        distId: dist.id,
        sellerId: user.id,
        gameId,
        typeId,
        offer,
        pictures: await loadPictures(trx, user.id, input.pictures),
        account,
        importKey,
      });
      await saveFindings(ctx, trx, created.id, offer.findings);
      await record(trx, created.id, 'published', actorOf(call), passwordChanged ? { passwordChanged } : {});
      await publishSubmitted(trx, created.id, user.id);
      await sql`delete from goods_draft where user_id = ${user.id} and draft_key = ${sellDraftKey(gameId, typeId)}`.execute(
        trx,
      );
      return { goodsSn: created.sn, status: GoodsStatus.Reviewing };
    }),
  );
}
