import { BARGAINS_AGREED, GOODS_PRIVATE_OR_REMOVED, BARGAINS_OPEN } from '#server/states/state-lists.ts';
import { FAILED_TAB } from '#subjects/orders/rules/order-status.ts';
import { type RawBuilder, sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import type { bargainingList, lookBargaGoodsList } from '#subjects/offers/contract/offers.ts';
import { type BargainParty, bargainActions, BargainStatus, bargainStatusName, ENDED_TAB } from '../rules/bargain.ts';
import { visibleTitle } from '#contract/rules/contacts/contacts.ts';
import { offerMoney } from '#subjects/goods/rules/listing-states.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import type { UserCall } from '#server/access/call.ts';
import { siteFees } from '#server/directory/directory.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { AppError } from '#server/kernel/errors.ts';
import { type Catalogue, catalogue } from '#subjects/games/server/service.ts';
import { pageUrlOf } from '#subjects/goods/server/service.ts';
import { pictureUrls } from '#subjects/media/server/service.ts';
import { tableFen } from './bargain-actions.ts';
import { loadFloor, triesUsed } from './bargain-limits.ts';
import { type BargainRow, bargainCounts, bargainRows, STATE } from './bargain-rows.ts';
import { floorFen, shortName, statusText } from './rules.ts';

type Item = HandlerResult<typeof bargainingList>['list'][number];

const PAGE = 20;
const OPEN: readonly number[] = [
  BargainStatus.Pending,
  BargainStatus.SellerAgreed,
  BargainStatus.Countered,
  BargainStatus.BuyerAgreed,
];
function itemOf({ ctx, dist, user: { id: userId } }: UserCall, all: Catalogue, row: BargainRow): Item {
  const party: BargainParty = row.buyerId === userId ? 'buyer' : 'seller';
  const game = all.known(row.gameId);
  const money = offerMoney(tableFen(row), siteFees(ctx.dir, dist));
  const onSale = row.goodsStatus === GoodsStatus.OnSale;
  return {
    bargainId: row.id,
    goodsSn: row.goodsSn,
    goodsTypeId: row.typeId,
    gameId: row.gameId,
    gameName: game?.name ?? '',
    bigTitle: visibleTitle(row.title),
    thumbnail: !game ? '' : pictureUrls(row.picture, game.code).thumb,
    pageUrl: pageUrlOf({ sn: row.goodsSn, typeId: row.typeId }),
    goodsStatus: row.goodsStatus,
    price: row.priceFen,
    priceThen: row.thenFen,
    sellrBargaPrice: row.offerFen,
    sellrCounterofferPrice: row.counterFen,
    allInPrice: money.allInFen,
    net: party === 'seller' ? money.netFen : null,
    status: row.status,
    statusName: bargainStatusName(party, row.status),
    statusText: statusText(party, row.status, row.why),
    belong: party === 'buyer' ? BUYS : SELLS,
    partnerName: party === 'buyer' ? row.sellerName : shortName(row.buyerName),
    message: row.message,
    // An offer on a listing that is not on sale can only be rejected or withdrawn.
    acts: bargainActions(party, row.status).filter((action) => onSale || action === 'refuse' || action === 'withdraw'),
    expireTime: row.expiresAt,
    createTime: row.createdAt,
    orderSn: row.orderSn,
  };
}

/** The condition for a state; 1 includes every agreed price, -1 every ended offer. */
function inState(status: number | undefined): RawBuilder<unknown> {
  if (status === undefined) return sql`true`;
  if (status === FAILED_TAB) return sql`${STATE} >= ${BargainStatus.SellerRejected}`;
  if (status === BargainStatus.SellerAgreed) return sql`b.status in ${BARGAINS_AGREED} and b.expires_at > now()`;
  return sql`${STATE} = ${status}`;
}

function countsOf(byStatus: ReadonlyMap<number, number>): Record<string, number> {
  const counts: Record<string, number> = {
    all: 0,
    [ENDED_TAB]: 0,
    [BargainStatus.Pending]: 0,
    [BargainStatus.SellerAgreed]: 0,
    [BargainStatus.Countered]: 0,
  };
  const add = (key: string, n: number): void => void (counts[key] = (counts[key] ?? 0) + n);
  for (const [status, n] of byStatus) {
    add('all', n);
    add(String(status === BargainStatus.BuyerAgreed ? BargainStatus.SellerAgreed : status), n);
    if (status >= BargainStatus.SellerRejected) add(String(ENDED_TAB), n);
  }
  return counts;
}

/** A user's offers as buyer, seller or both, newest first. */
export async function ownBargains(
  call: UserCall,
  input: Parsed<typeof bargainingList>,
): Promise<HandlerResult<typeof bargainingList>> {
  const { ctx, user } = call;
  const { belong, keyWord } = input;
  const parties = [
    ...(belong === SELLS ? [] : [sql`b.buyer_id = ${user.id}`]),
    ...(belong === BUYS ? [] : [sql`b.seller_id = ${user.id}`]),
  ];
  const mine = sql`(${sql.join(parties, sql` or `)}) ${keyWord === undefined ? sql`` : sql`and (g.sn = ${keyWord.toUpperCase()} or position(${keyWord} in g.title) > 0)`}`;
  const limit = input.pageSize ?? PAGE;
  const from = decodeId(input.cursor);
  const where = sql`${mine} and ${inState(input.status)} ${from === undefined ? sql`` : sql`and b.id < ${from}`}`;
  const offset = from === undefined ? ((input.pages ?? 1) - 1) * limit : 0;
  const [all, rows, byStatus] = await Promise.all([
    catalogue(ctx),
    bargainRows(ctx.db, where, { limit: limit + 1, offset }),
    bargainCounts(ctx.db, mine),
  ]);
  const counts = countsOf(byStatus);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const total = counts[input.status === undefined ? 'all' : String(input.status)] ?? 0;
  return {
    list: page.map((row) => itemOf(call, all, row)),
    counts,
    total: Math.min(total, 1000),
    totalCapped: total > 1000,
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}

/** The offers on a listing for its page: all of them for its seller; for a buyer the own ones and the number and maximum of all. Throws GOODS_NOT_FOUND. */
export async function bargainsOn(
  call: UserCall,
  input: Parsed<typeof lookBargaGoodsList>,
): Promise<HandlerResult<typeof lookBargaGoodsList>> {
  const { ctx, user } = call;
  const { rows: goodsRows } = await sql<{ id: number; sellerId: number; priceFen: number }>`
    select id, seller_id as "sellerId", price_fen as "priceFen" from goods where sn = ${input.goodsSn.toUpperCase()} and status not in ${GOODS_PRIVATE_OR_REMOVED}`.execute(
    ctx.db,
  );
  const goods = goodsRows[0];
  if (!goods) throw new AppError('GOODS_NOT_FOUND');
  const isSeller = goods.sellerId === user.id;
  const limit = input.pageSize ?? PAGE;
  const from = decodeId(input.cursor);
  const where = sql`b.goods_id = ${goods.id} ${isSeller ? sql`` : sql`and b.buyer_id = ${user.id}`}`;
  const [all, rows, open, floor, used] = await Promise.all([
    catalogue(ctx),
    bargainRows(ctx.db, from === undefined ? where : sql`${where} and b.id < ${from}`, {
      limit: limit + 1,
      offset: from === undefined ? ((input.pages ?? 1) - 1) * limit : 0,
    }),
    sql<{ n: number; highest: number | null }>`
      select count(*)::int as n, max(offer_fen) as highest from bargain where goods_id = ${goods.id} and status in ${BARGAINS_OPEN} and expires_at > now()`.execute(
      ctx.db,
    ),
    loadFloor(ctx, ctx.db, goods.sellerId),
    triesUsed(ctx, ctx.db, user.id, goods.id),
  ]);
  const { tries, days } = ctx.dir.setting('bargain');
  const list = rows.slice(0, limit).map((row) => itemOf(call, all, row));
  const recent = (item: Item): boolean => item.createTime.getTime() > Date.now() - days * 86_400_000;
  const mine = isSeller ? undefined : list.find((item) => OPEN.includes(item.status) || recent(item));
  const last = list.at(-1);
  return {
    list,
    offers: open.rows[0]?.n ?? 0,
    highest: open.rows[0]?.highest ?? null,
    mine: mine ?? null,
    floor: floorFen(goods.priceFen, floor),
    triesLeft: isSeller ? 0 : Math.max(0, tries - used),
    serviceFeeBp: siteFees(ctx.dir, call.dist).buyerBp,
    total: list.length,
    totalCapped: rows.length > limit,
    next: rows.length > limit && last ? encodeCursor([last.bargainId]) : null,
  };
}
