import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type {
  coinDiscount,
  placeQuickCoinOrder,
  queryQuickOrderList,
} from '#subjects/quick-coin/contract/quick-coin.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { deliveryName } from '#contract/rules/catalogue.ts';
import { coinText } from '../rules/coin.ts';
import type { UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import type { Db, Trx } from '#server/db/client.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { catalogue, showsGame } from '#subjects/games/server/service.ts';
import { imageUrl } from '#subjects/media/server/service.ts';
import {
  type UnlistedOrder,
  unlistedPrice,
  discountsOff,
  listItemOf,
  listOrders,
  placeUnlisted,
  type OrderRow,
} from '#subjects/orders/server/service.ts';
import { type OfferRow, offerBySn } from './queries.ts';
import { titleOf } from './view.ts';

/** Order type (domain.md 1). */
export const QUICK_COIN = 53;
/** Goods type whose hand-over steps coin has. */
const COIN_GOODS = 2;

type Input = Parsed<typeof placeQuickCoinOrder>;

interface Receiver {
  roleName: string;
  roleLevel: number | null;
}

/** The receiver: as entered, or one of the buyer's role cards. Throws NOT_FOUND for another user's card. */
async function loadReceiver(db: Trx, userId: number, input: Input): Promise<Receiver> {
  if (input.roleCardId === undefined) return { roleName: input.roleName, roleLevel: input.roleLevel ?? null };
  const { rows } = await sql<Receiver>`
    select role_name as "roleName", role_level as "roleLevel" from role_card where id = ${input.roleCardId} and user_id = ${userId}`.execute(
    db,
  );
  if (!rows[0]) throw errorOf('NOT_FOUND', 'ownRoleCard');
  return rows[0];
}

function checkTerms(offer: OfferRow, input: Input): void {
  if (offer.status !== CoinOfferStatus.OnSale) throw new AppError('GOODS_NOT_ON_SALE', { text: '该报价已下架' });
  if (input.version !== undefined && input.version !== offer.version)
    throw new AppError('GOODS_CHANGED', { text: '报价已变更，请刷新后重新确认' });
  if (!offer.delivery.includes(input.delivery))
    throw new AppError('BAD_INPUT', { text: '该报价不支持所选交货方式', field: 'delivery' });
  if (input.num < offer.minLots || input.num > offer.maxLots)
    throw new AppError('COIN_LOTS', { text: `该报价每次可买 ${offer.minLots} 至 ${offer.maxLots} 份`, field: 'num' });
}

/** The details of the coin on the order's page. */
function orderDetails(offer: OfferRow, input: Input, to: Receiver): { label: string; value: string }[] {
  return [
    { label: '数量', value: coinText(offer.lotUnits * input.num, offer.unit) },
    { label: '份数', value: `${input.num} 份，每份 ${coinText(offer.lotUnits, offer.unit)}` },
    { label: '交货方式', value: deliveryName(input.delivery) },
    { label: '收货角色', value: to.roleLevel === null ? to.roleName : `${to.roleName}，${to.roleLevel} 级` },
    ...(input.delivery === 2 && input.auctionItem ? [{ label: '拍卖物品', value: input.auctionItem }] : []),
    ...(input.delivery === 3 && input.meetPlace ? [{ label: '见面地点', value: input.meetPlace }] : []),
  ];
}

/**
 * Orders coin by the lot: the same order, escrow, payment and chat as goods have; the stock falls by one conditional UPDATE in the same
 * transaction. Of many concurrent buyers of the last lots the later ones get GOODS_STOCK. Throws also GOODS_*, COIN_LOTS, BAD_INPUT.
 */
export async function orderCoin(call: UserCall, request: Input): Promise<HandlerResult<typeof placeQuickCoinOrder>> {
  const { ctx, user, dist } = call;
  const input = {
    ...request,
    auctionItem: request.auctionItem && publishable(ctx.blockedWords, '拍卖物品', request.auctionItem, 'auctionItem'),
    meetPlace: request.meetPlace && publishable(ctx.blockedWords, '见面地点', request.meetPlace, 'meetPlace'),
  };
  const all = await catalogue(ctx);
  let coin = '';
  const placed = await placeUnlisted(call, async () => {
    const offer = await offerBySn(ctx.db, input.quickCoinSn);
    if (!offer || !showsGame(dist, offer.gameId)) throw new AppError('GOODS_NOT_FOUND', { text: '报价不存在或已下架' });
    if (offer.sellerId === user.id) throw new AppError('GOODS_OWN', { text: '不能购买自己店铺的金币' });
    checkTerms(offer, input);
    const to = await loadReceiver(ctx.db, user.id, input);
    const game = all.game(offer.gameId);
    const buyer = { id: user.id, inviterId: user.inviterId };
    const terms = {
      unitFen: offer.lotPriceFen,
      num: input.num,
      buyer,
      sellerId: offer.sellerId,
      couponId: input.couponId,
    };
    const deal: UnlistedOrder = {
      ...terms,
      typeId: QUICK_COIN,
      gameId: offer.gameId,
      price: await unlistedPrice(ctx, dist, terms),
      offerSn: offer.sn,
      snapshot: {
        title: titleOf(offer, all),
        gameCode: game?.code ?? '',
        gameName: game?.name ?? '',
        areaName: offer.areaName,
        serverName: offer.serverName ?? '',
        attrs: {},
        picture: null,
        fieldsVersion: 1,
        facts: orderDetails(offer, input, to),
        shipSeconds: offer.shipMinutes * 60,
        handoverType: COIN_GOODS,
        delivery: input.delivery,
      },
      explain: '买家提交金币订单，等待付款',
    };
    coin = coinText(offer.lotUnits * input.num, offer.unit);
    return { deal, also: async (trx, { orderId }) => await take(trx, orderId, offer, input, to) };
  });
  if (coin === '') coin = await loadCoin(ctx.db, placed.orderId);
  return {
    orderId: placed.orderId,
    orderSn: placed.orderSn,
    status: placed.status,
    coinText: coin,
    totalPrice: placed.totalFen,
    createTime: new Date(placed.createTime),
  };
}

/** The discounts for an order of a number of lots. Throws GOODS_NOT_FOUND. */
export async function coinDiscounts(
  call: UserCall,
  { quickCoinSn, num }: Parsed<typeof coinDiscount>,
): Promise<HandlerResult<typeof coinDiscount>> {
  const { ctx, dist, user } = call;
  const offer = await offerBySn(ctx.db, quickCoinSn);
  if (!offer || !showsGame(dist, offer.gameId)) throw new AppError('GOODS_NOT_FOUND', { text: '报价不存在或已下架' });
  const buyer = { id: user.id, inviterId: user.inviterId };
  const terms = { unitFen: offer.lotPriceFen, num, buyer, sellerId: offer.sellerId };
  return await discountsOff(call, await unlistedPrice(ctx, dist, terms), offer.sellerId);
}

async function take(trx: Trx, orderId: number, offer: OfferRow, input: Input, to: Receiver): Promise<void> {
  await sql`select quick_coin_take(${offer.id}, ${offer.version}, ${input.num})`.execute(trx);
  await sql`insert into quick_coin_order (order_id, offer_id, lots, lot_units, unit, delivery, area_id, server_id, role_name, role_level, auction_item, meet_place)
    values (${orderId}, ${offer.id}, ${input.num}, ${offer.lotUnits}, ${offer.unit}, ${input.delivery}, ${offer.areaId}, ${offer.serverId}, ${to.roleName},
      ${to.roleLevel}, ${input.auctionItem ?? null}, ${input.meetPlace ?? null})`.execute(trx);
}

async function loadCoin(db: Db, orderId: number): Promise<string> {
  const { rows } = await sql<{ units: number; unit: string }>`
    select coin_units as units, unit from quick_coin_order where order_id = ${orderId}`.execute(db);
  return rows[0] ? coinText(rows[0].units, rows[0].unit) : '';
}

interface CoinRow {
  orderId: number;
  offerSn: string;
  lots: number;
  coinUnits: number;
  deliveredUnits: number;
  unit: string;
  delivery: number;
  roleName: string;
  roleLevel: number | null;
  auctionItem: string | null;
  meetPlace: string | null;
  pictures: { key: string }[];
}

/** The coin of orders, with the pictures of their delivery's steps. */
async function coinRows(db: Db, ids: readonly number[]): Promise<Map<number, CoinRow>> {
  const { rows } = await sql<CoinRow>`
    select q.order_id as "orderId", c.sn as "offerSn", q.lots, q.coin_units as "coinUnits", q.delivered_units as "deliveredUnits", q.unit, q.delivery,
      q.role_name as "roleName", q.role_level as "roleLevel", q.auction_item as "auctionItem", q.meet_place as "meetPlace",
      coalesce((select jsonb_agg(e order by h.step) from order_handover h, jsonb_array_elements(h.pictures) e where h.order_id = q.order_id), '[]') as pictures
    from quick_coin_order q join quick_coin_offer c on c.id = q.offer_id where q.order_id = any(${[...ids]})`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.orderId, row]));
}

type Item = HandlerResult<typeof queryQuickOrderList>['orderList'][number];

function itemOf(order: OrderRow, coin: CoinRow, userId: number): Item {
  const viewer = order.buyer_id === userId ? 'buyer' : 'seller';
  const item = listItemOf(order, viewer);
  return {
    id: item.id,
    orderSn: item.orderSn,
    quickCoinSn: coin.offerSn,
    status: item.status,
    statusName: item.statusName,
    belong: item.belong,
    gameName: order.snapshot.gameName,
    areaName: order.snapshot.areaName,
    serverName: order.snapshot.serverName,
    bigTitle: item.bigTitle,
    num: coin.lots,
    coinText: coinText(coin.coinUnits, coin.unit),
    deliveredText: coinText(coin.deliveredUnits, coin.unit),
    unitPrice: item.unitPrice,
    totalPrice: item.totalPrice,
    net: viewer === 'seller' ? order.goods_fen - order.commission_fen : null,
    delivery: coin.delivery,
    deliveryName: deliveryName(coin.delivery),
    roleName: coin.roleName,
    roleLevel: coin.roleLevel,
    auctionItem: coin.auctionItem,
    meetPlace: coin.meetPlace,
    partnerName: item.partnerName,
    pictures: coin.pictures.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, 320) })),
    groupId: item.groupId,
    deadline: item.deadline,
    payTime: item.payTime,
    createTime: item.createTime,
  };
}

/** Coin orders that the caller bought (belong 0) or sold (1), newest first. */
export async function coinOrders(
  { ctx, user }: UserCall,
  input: Parsed<typeof queryQuickOrderList>,
): Promise<HandlerResult<typeof queryQuickOrderList>> {
  const limit = input.pageSize ?? 20;
  const { rows, next, counts } = await listOrders(ctx.db, {
    userId: user.id,
    belong: input.belong,
    status: input.status,
    typeId: QUICK_COIN,
    keyWord: input.orderSn ?? input.keyWord,
    minTime: undefined,
    maxTime: undefined,
    isRecovery: undefined,
    details: undefined,
    cursor: input.cursor,
    limit,
    offset: ((input.pages ?? 1) - 1) * limit,
  });
  const coins = await coinRows(
    ctx.db,
    rows.map((row) => row.id),
  );
  const total = input.status === undefined ? (counts.all ?? 0) : (counts[String(input.status)] ?? 0);
  return {
    orderList: rows.flatMap((row) => {
      const coin = coins.get(row.id);
      return coin ? [itemOf(row, coin, user.id)] : [];
    }),
    counts,
    total: Math.min(total, 1000),
    totalCapped: total > 1000,
    next,
  };
}
