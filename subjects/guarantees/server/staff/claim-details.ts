import { GOODS_DRAFT_OR_REMOVED } from '#server/states/state-lists.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/guarantees/contract/staff-claims.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { claimReasons, reasonLines } from '#subjects/guarantees/rules/guarantee.ts';
import { linkTexts } from '#subjects/back-office/rules/links.ts';
import { offerStatusName } from '#subjects/goods/rules/listing-states.ts';
import { orderStatusName } from '#subjects/orders/rules/order-status.ts';
import { audit } from '#server/audit/audit.ts';
import type { StaffCall } from '#server/access/call.ts';
import type { Trx } from '#server/db/client.ts';
import { requirePermission } from '#server/access/permissions.ts';
import { addReceipt, loadProofs, loadReceipts, strikeReceipt, takesReceipts } from '../receipts.ts';
import { type ClaimRow, limitOf } from '../queries.ts';
import { escalations } from '../rules.ts';
import { pictureList } from '../view.ts';

type File = HandlerResult<typeof c.staffClaimDetail>;
type Details = Pick<
  File,
  | 'sellerId'
  | 'sellerName'
  | 'related'
  | 'escalations'
  | 'limit'
  | 'limitText'
  | 'takesReceipts'
  | 'proofs'
  | 'receipts'
  | 'recourse'
  | 'sameAccount'
  | 'held'
  | 'holders'
>;

/** States in which goods can be bought or are being sold. */
const LIVE = [1, 2, 4, 7];

interface Same {
  goodsSn: string;
  title: string;
  sellerId: number;
  sellerName: string;
  status: number;
  orderSn: string | null;
  orderStatus: number | null;
  orderTypeId: number | null;
  at: Date;
}

/** Other listings of the claimed game account on this site, with their last orders, newest first. */
async function sameAccount(db: Trx, k: ClaimRow): Promise<File['sameAccount']> {
  if (k.fingerprint === null) return [];
  const { rows } = await sql<Same>`
    select g.sn as "goodsSn", g.title, g.seller_id as "sellerId", u.nick_name as "sellerName", g.status, o.sn as "orderSn", o.status as "orderStatus", o.type_id as "orderTypeId",
      coalesce(o.created_at, g.created_at) as at
    from goods g join app_user u on u.id = g.seller_id
      left join lateral (select sn, status, type_id, created_at from orders o where o.goods_id = g.id and o.id <> ${k.orderId} order by o.id desc limit 1) o on true
    where g.fingerprint = ${k.fingerprint} and g.status not in ${GOODS_DRAFT_OR_REMOVED} and g.id is distinct from (select goods_id from orders where id = ${k.orderId})
    order by g.id desc limit 20`.execute(db);
  return rows.map((r) => ({
    goodsSn: r.goodsSn,
    title: r.title,
    sellerName: r.sellerName,
    isClaimant: r.sellerId === k.userId,
    statusName: offerStatusName(r.status),
    isLive: LIVE.includes(r.status),
    orderSn: r.orderSn,
    orderStatusName: r.orderStatus === null ? null : orderStatusName(r.orderStatus, r.orderTypeId),
    time: r.at,
  }));
}

/** Details of a claim for staff: people, limits, receipts, recourse, other listings of the account. */
export async function claimDetails(db: Trx, k: ClaimRow): Promise<Details> {
  const [people, receipts, proofs, same] = await Promise.all([
    sql<{ holders: number; held: number; seller: string; links: string[] }>`
      select (select count(*)::int from guarantee_holder where cover_id = ${k.coverId}) as holders,
        coalesce((select h.amount_fen from hold h where h.code = 'sale_protection' and h.ref = ${String(k.orderId)} and h.released_at is null), 0) as held,
        u.nick_name as seller, user_links(${k.userId}, u.id) as links
      from app_user u where u.id = ${k.sellerId}`.execute(db),
    loadReceipts(db, k.id),
    loadProofs(db, k),
    sameAccount(db, k),
  ]);
  const related = people.rows[0];
  const payoutBp = Math.round((k.payoutMaxFen * 10_000) / k.priceFen);
  const reasonLine = reasonLines(k.terms.reasons ?? {}, payoutBp).find(({ reason }) => reason === k.reason);
  return {
    holders: related?.holders ?? 0,
    held: related?.held ?? 0,
    sellerId: String(k.sellerId),
    sellerName: related?.seller ?? '',
    related: linkTexts(related?.links ?? []),
    escalations: k.escalatedFor.map((why) => escalations[why].staff),
    limit: limitOf(k),
    limitText: reasonLine?.text ?? `条款不含「${claimReasons[k.reason].name}」`,
    takesReceipts: takesReceipts(k),
    proofs: pictureList(proofs).map((picture, i) => ({ key: proofs[i]?.key ?? '', ...picture })),
    receipts: receipts.map((r) => ({
      receiptId: r.id,
      amount: r.amountFen,
      paidOn: r.paidOn,
      note: r.note,
      pictures: pictureList(r.pictures),
      staffName: r.staffName,
      time: r.at,
      isStruck: r.isStruck,
    })),
    recourse:
      k.status === 'paid'
        ? { held: k.recourseFen, deposit: k.penaltyFen, debt: k.debtFen, spared: k.sparesSeller }
        : null,
    sameAccount: same,
  };
}

/** Adds a receipt. Throws FORBIDDEN, CLAIM_*, PICTURE_BROKEN, BAD_INPUT. */
export async function enterReceipt(
  call: StaffCall,
  input: Parsed<typeof c.staffClaimReceipt>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip, idem } = call;
  requirePermission(staff, 'claim.decide');
  const { claimSn, amount: amountFen, ...rest } = input;
  return await addReceipt(
    ctx,
    staff,
    claimSn,
    { amountFen, ...rest },
    {
      idem,
      also: (trx) => audit(trx, staff, 'claim.receipt', `claim:${claimSn}`, { amountFen, ...rest }, ip),
    },
  );
}

/** Voids a receipt. Throws FORBIDDEN, CLAIM_*, NOT_FOUND. */
export async function strikeOut(
  call: StaffCall,
  { claimSn, receiptId }: Parsed<typeof c.staffClaimReceiptStrike>,
): Promise<Record<string, never>> {
  const { ctx, staff, ip } = call;
  requirePermission(staff, 'claim.decide');
  await strikeReceipt(ctx, staff, claimSn, receiptId, (trx) =>
    audit(trx, staff, 'claim.strike', `claim:${claimSn}`, { receiptId }, ip),
  );
  return {};
}
