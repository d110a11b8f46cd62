import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type {
  approveReview,
  rejectReview,
  reviewGoods,
  reviewGoodsList,
} from '#subjects/goods/contract/staff-review.ts';
import type { staffListing } from '#subjects/goods/contract/staff-listings.ts';
import { claimReasons } from '#subjects/guarantees/rules/guarantee.ts';
import type { StaffCall } from '#server/access/call.ts';
import {
  approveGoods,
  type Decision,
  listingForStaff,
  rejectGoods,
  reviewItem,
  type ReviewItem,
  reviewQueue,
} from '#subjects/goods/server/service.ts';
import { type AccountClaim, claimName, claimsOnAccounts, OPEN_CLAIM } from '#subjects/guarantees/server/service.ts';
import { audit } from '#server/audit/audit.ts';
import { requirePermission } from '#server/access/permissions.ts';

type Item = HandlerResult<typeof reviewGoodsList>['list'][number];

const PAGE_SIZE = 20;
const NEW_SELLER_SALES = 5;

/** Warnings about a listing, most serious first. */
function flagsOf(item: ReviewItem, claims: Item['claims']): Item['flags'] {
  const flags: Item['flags'] = [];
  if (item.findings.length > 0) flags.push({ text: '含联系方式，已删去原句', tone: 'danger' });
  if (claims.length > 0)
    flags.push({ text: claims.some(({ bars }) => bars) ? '账号理赔中或已赔付' : '账号有过理赔', tone: 'danger' });
  if (item.sameAccount > 0) flags.push({ text: `同一游戏账号发布过 ${item.sameAccount} 次`, tone: 'danger' });
  if (item.nearAccount > 0)
    flags.push({ text: `同名账号（邮箱域名不同）发布过 ${item.nearAccount} 次，请核对`, tone: 'attn' });
  if (item.lastReason !== null) flags.push({ text: '曾被驳回', tone: 'attn' });
  if (item.pictures.length === 0) flags.push({ text: '没有图片', tone: 'attn' });
  if (item.seller.soldCount < NEW_SELLER_SALES) flags.push({ text: '新卖家', tone: 'attn' });
  if (item.again) flags.push({ text: '上架后修改', tone: null });
  return flags;
}

const BARRING = [...OPEN_CLAIM, 'paid'];

const claimOf = (claim: AccountClaim): Item['claims'][number] => ({
  claimSn: claim.sn,
  reasonName: claimReasons[claim.reason].name,
  statusName: claimName(claim.status),
  bars: BARRING.includes(claim.status),
  amount: claim.fen,
  time: claim.at,
});

function itemOf(item: ReviewItem, claims: readonly AccountClaim[]): Item {
  const { seller } = item;
  const onAccount = claims.filter(({ goodsId }) => goodsId === item.goodsId).map(claimOf);
  return {
    goodsSn: item.goodsSn,
    version: item.version,
    distId: item.distId,
    gameId: item.gameId,
    gameName: item.gameName,
    goodsTypeId: item.goodsTypeId,
    goodsTypeName: item.goodsTypeName,
    areaText: [item.areaName, item.serverName].filter(Boolean).join(' / '),
    bigTitle: item.title,
    description: item.description,
    price: item.priceFen,
    stock: item.stock,
    attrs: item.attrs.map(({ label, value }) => ({ label, value })),
    pictures: item.pictures,
    bargainOpen: item.bargainOk,
    ensureOpen: item.guaranteeOk,
    seller: {
      sellerId: String(seller.id),
      nickName: seller.nickName,
      avatar: seller.avatar,
      level: seller.sellerLevel,
      soldNum: seller.soldCount,
      goodRate: seller.goodRate,
      joinTime: seller.createdAt,
    },
    findings: item.findings,
    flags: flagsOf(item, onAccount),
    claims: onAccount,
    lastReason: item.lastReason,
    submitTime: item.submittedAt,
  };
}

/** The review queue; staff of a distributor see only its listings. Throws FORBIDDEN. */
export async function listReviews(
  call: StaffCall,
  input: Parsed<typeof reviewGoodsList>,
): Promise<HandlerResult<typeof reviewGoodsList>> {
  requirePermission(call.staff, 'goods.read');
  const { list, ...tail } = await reviewQueue(call.ctx, {
    distId: call.staff.distId,
    gameId: input.gameId,
    goodsTypeId: input.goodsTypeId,
    keyWord: input.keyWord,
    cursor: input.cursor,
    limit: input.pageSize ?? PAGE_SIZE,
  });
  const claims = await claimsOnAccounts(
    call.ctx.db,
    list.map(({ goodsId }) => goodsId),
  );
  return { list: list.map((item) => itemOf(item, claims)), ...tail };
}

/** One listing of the queue by its number. Throws FORBIDDEN, GOODS_NOT_FOUND when it is not pending. */
export async function oneReview(call: StaffCall, { goodsSn }: Parsed<typeof reviewGoods>): Promise<Item> {
  requirePermission(call.staff, 'goods.read');
  const item = await reviewItem(call.ctx, goodsSn, call.staff.distId);
  return itemOf(item, await claimsOnAccounts(call.ctx.db, [item.goodsId]));
}

/** One listing in any state; staff of a distributor see only its listings. Throws FORBIDDEN, GOODS_NOT_FOUND. */
export async function oneListing(call: StaffCall, { goodsSn }: Parsed<typeof staffListing>): Promise<Item> {
  requirePermission(call.staff, 'goods.read');
  const item = await listingForStaff(call.ctx, goodsSn, call.staff.distId);
  return itemOf(item, await claimsOnAccounts(call.ctx.db, [item.goodsId]));
}

/** A decision with its audit entry in the same transaction. */
function decisionOf(call: StaffCall, input: { goodsSn: string; version: number }, reason?: string): Decision {
  const { staff, ip } = call;
  return {
    ...input,
    distId: staff.distId,
    staffId: staff.id,
    also: (trx, { sellerId }) =>
      audit(
        trx,
        staff,
        reason === undefined ? 'goods.approve' : 'goods.reject',
        `goods:${input.goodsSn}`,
        { sellerId, ...(reason !== undefined && { reason }) },
        ip,
      ),
  };
}

/** Approves a listing, which goes on sale. Throws FORBIDDEN, GOODS_NOT_FOUND, GOODS_STATE, GOODS_CHANGED. */
export async function approve(call: StaffCall, input: Parsed<typeof approveReview>): Promise<Record<string, never>> {
  requirePermission(call.staff, 'goods.review');
  await approveGoods(call.ctx, decisionOf(call, input));
  return {};
}

/** Rejects a listing with a reason for the seller. Throws the errors of `approve`. */
export async function reject(
  call: StaffCall,
  { reason, ...input }: Parsed<typeof rejectReview>,
): Promise<Record<string, never>> {
  requirePermission(call.staff, 'goods.review');
  await rejectGoods(call.ctx, { ...decisionOf(call, input, reason), reason });
  return {};
}
