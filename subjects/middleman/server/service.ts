import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { sql } from 'kysely';
import type * as c from '#subjects/middleman/contract/middleman.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { type DealRates, dealFeeFen, rateText } from '#contract/rules/fee.ts';
import { BUYS, SELLS } from '#contract/rules/parties.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { type Db, inTransaction, type Trx } from '#server/db/client.ts';
import { idempotent, orEarlier } from '#server/db/idempotent.ts';
import { ORDERS_IN_PROGRESS } from '#server/states/order-states.ts';
import type { Context } from '#server/context.ts';
import { cancel, emit, schedule } from '#server/jobs/effect-writer.ts';
import { decodeId, encodeCursor } from '#server/kernel/cursor.ts';
import { derivedToken, sameText, sha256 } from '#server/kernel/secrets/crypto.ts';
import { errorOf } from '#server/kernel/error-of.ts';
import { AppError } from '#server/kernel/errors.ts';
import { readableCode } from '#server/kernel/ids.ts';
import { catalogue } from '#subjects/games/server/service.ts';
import { checkListingLimits } from '#subjects/goods/server/service.ts';
import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { type UnlistedOrder, unlistedPrice, placeUnlisted } from '#subjects/orders/server/service.ts';
import { requireAdult } from '#subjects/verification/server/service.ts';
import { dealAccount, dealRegion, dealTypeName, loadTraded } from './traded.ts';

const MIDDLEMAN = 51;
const SN_LENGTH = 10;

const settingOf = (ctx: Context): SettingValue<'middleman'> => ctx.dir.setting('middleman');

/** The fees of an ordinary sale with the deal's own minimum: private deals cost the same. */
function ratesOf(ctx: Context): DealRates {
  const { sellerBp, sellerMaxFen, buyerBp } = ctx.dir.setting('fees');
  return { sellerBp, sellerMaxFen, buyerBp, minFen: settingOf(ctx).minFen };
}

interface Row {
  id: number;
  sn: string;
  openerId: number;
  openerBelong: number;
  partnerId: number | null;
  gameId: number | null;
  typeId: number;
  serverId: number | null;
  hasAccount: boolean;
  title: string;
  description: string;
  priceFen: number;
  feeSide: 'buyer' | 'seller' | 'half';
  feeFen: number;
  linkHash: Buffer;
  status: HandlerResult<typeof c.middlemanInfo>['status'];
  orderSn: string | null;
  expiresAt: Date;
  createdAt: Date;
  openerName: string;
  partnerName: string | null;
}

const COLUMNS = sql`m.id, m.sn, m.opener_id as "openerId", m.opener_belong as "openerBelong", m.partner_id as "partnerId", m.game_id as "gameId",
  m.type_id as "typeId", m.server_id as "serverId", m.fingerprint is not null as "hasAccount", m.title,
  m.description, m.price_fen as "priceFen", m.fee_side as "feeSide", m.fee_fen as "feeFen", m.link_hash as "linkHash",
  case when m.status = 'waiting' and m.expires_at <= now() then 'expired' else m.status end as status, o.sn as "orderSn", m.expires_at as "expiresAt",
  m.created_at as "createdAt", a.nick_name as "openerName", b.nick_name as "partnerName"`;
const FROM = sql`middleman_deal m join app_user a on a.id = m.opener_id left join app_user b on b.id = m.partner_id left join orders o on o.id = m.order_id`;

async function dealBySn(db: Trx, sn: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select ${COLUMNS} from ${FROM} where m.sn = ${sn}`.execute(db);
  return rows[0];
}

/** The parties' shares of the fee, in fen; an odd fen is the buyer's. */
function sharesOf({ feeFen, feeSide }: Pick<Row, 'feeFen' | 'feeSide'>): { buyerFen: number; sellerFen: number } {
  const buyerFen = feeSide === 'buyer' ? feeFen : feeSide === 'seller' ? 0 : Math.ceil(feeFen / 2);
  return { buyerFen, sellerFen: feeFen - buyerFen };
}

const feePayerNames = { buyer: '买家承担', seller: '卖家承担', half: '双方各半' } as const;
const statusNames = {
  waiting: '等待对方接受',
  ordered: '已下单',
  withdrawn: '已撤回',
  refused: '对方已拒绝',
  expired: '已过期',
} as const;

const isAccountSale = (row: Row): boolean => accountTypes.includes(row.typeId);

type DealView = HandlerResult<typeof c.middlemanList>['list'][number];

async function loadView(ctx: Context, row: Row, userId: number | null): Promise<DealView> {
  const { areaName, serverName } = await dealRegion(ctx, row);
  const { buyerFen, sellerFen } = sharesOf(row);
  return {
    dealSn: row.sn,
    status: row.status,
    statusName: statusNames[row.status],
    title: row.title,
    description: row.description,
    gameName: await loadGameName(ctx, row.gameId),
    goodsTypeId: row.typeId,
    goodsTypeName: dealTypeName(row.typeId),
    areaText: [areaName, serverName].filter(Boolean).join(' / '),
    needsAccountNo: isAccountSale(row) && !row.hasAccount && row.status === 'waiting',
    price: row.priceFen,
    fee: row.feeFen,
    feeSide: row.feeSide,
    feeSideName: feePayerNames[row.feeSide],
    buyerPays: row.priceFen + buyerFen,
    sellerGets: row.priceFen - sellerFen,
    openerBelong: row.openerBelong === 1 ? BUYS : SELLS,
    openerName: row.openerName,
    partnerName: row.partnerName,
    viewer:
      row.openerId === userId ? 'opener' : row.partnerId !== null && row.partnerId === userId ? 'partner' : 'visitor',
    orderSn: row.openerId === userId || row.partnerId === userId ? row.orderSn : null,
    path: row.openerId === userId && row.status === 'waiting' ? linkOf(ctx, row.sn) : null,
    expireTime: row.expiresAt,
    createTime: row.createdAt,
  };
}

async function loadGameName(ctx: Context, gameId: number | null): Promise<string> {
  return gameId === null ? '' : ((await catalogue(ctx)).known(gameId)?.name ?? '');
}

/** The fee and its bounds. */
export function feeSetting(ctx: Context): HandlerResult<typeof c.middlemanFee> {
  const { answerHours, unpaidSeconds } = settingOf(ctx);
  const { sellerBp, sellerMaxFen, buyerBp, minFen } = ratesOf(ctx);
  return {
    sellerBp,
    sellerMaximum: sellerMaxFen,
    buyerBp,
    minimum: minFen,
    answerHours,
    payHours: Math.floor(unpaidSeconds / 3600),
  };
}

/**
 * Opens a deal. The link's secret is derived from the deal's number with the installation's key, so that a repeated request returns the
 * same link and the table stores only its hash. A seller has the same limits as for a listing. Throws REAL_NAME_*, BAD_INPUT,
 * GOODS_NEW_SELLER_*, MIDDLEMAN_ACCOUNT, ACCOUNT_CLAIMED.
 */
export async function openDeal(
  call: UserCall,
  input: Parsed<typeof c.openMiddleman>,
): Promise<HandlerResult<typeof c.openMiddleman>> {
  const { ctx, user, dist } = call;
  const { sn } = await orEarlier(ctx.db, call.idem, async () => {
    await requireAdult(ctx.db, user.id);
    const traded = await loadTraded(ctx, input);
    const { answerHours } = settingOf(ctx);
    const feeFen = dealFeeFen(input.price, ratesOf(ctx));
    return await inTransaction(ctx.db, async (trx) =>
      idempotent(trx, call.idem, async () => {
        if (input.belong === SELLS) await checkListingLimits(ctx, trx, user.id, input.price);
        const created = `MM${readableCode(SN_LENGTH)}`;
        const hash = sha256(derivedToken(ctx.keys, created, 'middleman'));
        await sql`insert into middleman_deal (sn, dist_id, opener_id, opener_belong, game_id, type_id, server_id, fingerprint, account_near, account_hint, title, description, price_fen, fee_side, fee_fen, link_hash, expires_at)
        values (${created}, ${dist.id}, ${user.id}, ${input.belong === BUYS ? 1 : 0}, ${traded.gameId}, ${traded.typeId}, ${traded.serverId},
          ${traded.account?.print ?? null}, ${traded.account?.near ?? null}, ${traded.account?.hint ?? null}, ${input.title}, ${input.description ?? ''}, ${input.price},
          ${input.feeSide}, ${feeFen}, ${hash}, now() + make_interval(hours => ${answerHours}))`.execute(trx);
        await schedule(trx, 'middleman.expire', created, { seconds: answerHours * 3600 });
        return { sn: created };
      }),
    );
  });
  const row = await dealBySn(ctx.db, sn);
  if (!row) throw new AppError('NOT_FOUND');
  return { dealSn: sn, path: linkOf(ctx, sn), expireTime: row.expiresAt };
}

const linkOf = (ctx: Context, sn: string): string =>
  `/intermediary/intermediary?dealSn=${sn}&code=${derivedToken(ctx.keys, sn, 'middleman')}`;

const holdsLink = (row: Row, code: string | undefined): boolean =>
  code !== undefined && sameText(sha256(code).toString('hex'), row.linkHash.toString('hex'));

/** A deal for its two parties and for the holder of the link. Throws NOT_FOUND for other callers and for a missing deal. */
export async function dealInfo(
  call: Call,
  { dealSn, code }: Parsed<typeof c.middlemanInfo>,
): Promise<HandlerResult<typeof c.middlemanInfo>> {
  const { ctx } = call;
  const me = call.caller.user?.id ?? null;
  const row = await dealBySn(ctx.db, dealSn);
  const mine = row !== undefined && me !== null && (row.openerId === me || row.partnerId === me);
  if (!row || !(mine || holdsLink(row, code))) throw errorOf('NOT_FOUND', 'deal');
  const [view, alreadyPaid] = await Promise.all([loadView(ctx, row, me), purchaseUnderWay(ctx, row, me)]);
  return { ...view, alreadyPaid };
}

/**
 * The newest purchase of a deal's buyer from its seller that is paid and not completed, while the buyer could still pay the deal, whoever
 * opened it. Whether both are about the same account cannot be known (a deal without a game names none), so the buyer is asked before paying
 * twice. A service is no such purchase: no deal can be about it.
 */
async function purchaseUnderWay(
  { db }: Context,
  row: Row,
  userId: number | null,
): Promise<HandlerResult<typeof c.middlemanInfo>['alreadyPaid']> {
  const [buyerId, sellerId] = row.openerBelong === 1 ? [row.openerId, row.partnerId] : [row.partnerId, row.openerId];
  // Whoever holds the link of a waiting deal of its seller may become its buyer.
  const isBuyer = buyerId === userId || (row.status === 'waiting' && buyerId === null && sellerId !== userId);
  if (userId === null || sellerId === null || !isBuyer || !['waiting', 'ordered'].includes(row.status)) return null;
  const { rows } = await sql<{ orderSn: string; title: string; price: number }>`
    select sn as "orderSn", coalesce(snapshot->>'title', '') as title, total_fen as price from orders
    where buyer_id = ${userId} and seller_id = ${sellerId} and status in ${ORDERS_IN_PROGRESS} and snapshot->'service' is distinct from 'true'::jsonb
      and (${row.orderSn}::text is null or exists (select from orders d where d.sn = ${row.orderSn} and d.status = ${OrderStatus.Unpaid}))
    order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

async function close(db: Db, row: Row, status: 'withdrawn' | 'refused', partnerId: number | null): Promise<void> {
  const { rows } = await sql`
    update middleman_deal set status = ${status}, partner_id = ${partnerId}, answered_at = now() where id = ${row.id} and status = 'waiting' returning id`.execute(
    db,
  );
  if (rows.length === 0) throw new AppError('MIDDLEMAN_STATE');
}

async function orderPlan(call: UserCall, row: Row): Promise<UnlistedOrder> {
  const { ctx, user, dist } = call;
  const [buyerId, sellerId] = row.openerBelong === 1 ? [row.openerId, user.id] : [user.id, row.openerId];
  const all = await catalogue(ctx);
  const game = row.gameId === null ? undefined : all.known(row.gameId);
  const { buyerFen, sellerFen } = sharesOf(row);
  const terms = { unitFen: row.priceFen, num: 1, buyer: { id: buyerId, inviterId: null }, sellerId };
  const price = await unlistedPrice(ctx, dist, terms);
  const { sellerBp, buyerBp } = ratesOf(ctx);
  const rule = `${rateText(sellerBp + buyerBp)}，${feePayerNames[row.feeSide]}`;
  return {
    ...terms,
    typeId: MIDDLEMAN,
    gameId: row.gameId,
    price: {
      ...price,
      lines: [
        { code: 'goods', label: '约定价格', fen: row.priceFen, rule: '双方约定' },
        { code: 'service', label: '担保手续费', fen: buyerFen, rule },
      ],
      serviceFeeFen: buyerFen,
      commissionFen: sellerFen,
      totalFen: row.priceFen + buyerFen,
      distShareFen: Math.floor(((buyerFen + sellerFen) * (dist.id === 1 ? 0 : dist.commissionBp)) / 10_000),
    },
    offerSn: row.sn,
    snapshot: {
      title: row.title,
      gameCode: game?.code ?? '',
      gameName: game?.name ?? '',
      ...(await dealRegion(ctx, row)),
      attrs: {},
      picture: null,
      fieldsVersion: 1,
      facts: row.description === '' ? [] : [{ label: '双方约定', value: row.description }],
      // The hand-over steps of the traded type; 0 has none, the parties hand over by themselves.
      handoverType: row.typeId,
    },
    unpaidSeconds: settingOf(ctx).unpaidSeconds,
    explain: '双方确认担保交易，等待买家付款',
  };
}

/** Accepts a deal: places the order and links the deal to it in one transaction. Of two concurrent calls one gets MIDDLEMAN_STATE. */
async function accept(call: UserCall, row: Row, accountNo: string | undefined): Promise<string> {
  const { ctx, user } = call;
  const placed = await placeUnlisted(call, async () => {
    if (row.openerId === user.id) throw new AppError('GOODS_OWN', { text: '不能接受自己发起的交易，请把链接发给对方' });
    if (row.status !== 'waiting') throw new AppError('MIDDLEMAN_STATE');
    await requireAdult(ctx.db, row.openerId);
    const isSeller = row.openerBelong === 1;
    const account = isSeller ? dealAccount(ctx, row, accountNo) : null;
    return {
      deal: await orderPlan(call, row),
      also: async (trx, { orderId }) => {
        if (isSeller) await checkListingLimits(ctx, trx, user.id, row.priceFen);
        const { rows } = await sql`
          update middleman_deal set status = 'ordered', partner_id = ${user.id}, order_id = ${orderId}, answered_at = now(),
            fingerprint = coalesce(fingerprint, ${account?.print ?? null}::bytea), account_near = coalesce(account_near, ${account?.near ?? null}::bytea),
            account_hint = coalesce(account_hint, ${account?.hint ?? null}::text)
          where id = ${row.id} and status = 'waiting' and expires_at > now() returning id`.execute(trx);
        if (rows.length === 0) throw new AppError('MIDDLEMAN_STATE');
        await cancel(trx, 'middleman.expire', row.sn);
        await emit(trx, 'middleman.accepted', { orderId, dealSn: row.sn, openerId: row.openerId });
      },
    };
  });
  return placed.orderSn;
}

/** Accepts or rejects a deal with the link's code, or withdraws it as its opener. Throws NOT_FOUND, MIDDLEMAN_STATE, GOODS_OWN, REAL_NAME_*. */
export async function respondToDeal(
  call: UserCall,
  input: Parsed<typeof c.respondMiddleman>,
): Promise<HandlerResult<typeof c.respondMiddleman>> {
  const { ctx, user } = call;
  const { dealSn, act: action, code } = input;
  const row = await dealBySn(ctx.db, dealSn);
  const isOpener = row?.openerId === user.id;
  if (!row || !(isOpener || holdsLink(row, code) || row.partnerId === user.id)) throw errorOf('NOT_FOUND', 'deal');
  if (action === 'accept') return { dealSn, status: 'ordered', orderSn: await accept(call, row, input.accountNo) };
  if ((action === 'withdraw') !== isOpener) throw new AppError('MIDDLEMAN_STATE');
  const status = action === 'withdraw' ? 'withdrawn' : 'refused';
  if (row.status !== status) await close(ctx.db, row, status, isOpener ? null : user.id);
  return { dealSn, status, orderSn: null };
}

/** The caller's deals, newest first. */
export async function listDeals(
  { ctx, user }: UserCall,
  input: Parsed<typeof c.middlemanList>,
): Promise<HandlerResult<typeof c.middlemanList>> {
  const limit = input.pageSize ?? 10;
  const from = decodeId(input.cursor);
  const mine = sql`${user.id} in (m.opener_id, m.partner_id)`;
  const { rows } =
    await sql<Row>`select ${COLUMNS} from ${FROM} where ${mine} ${from === undefined ? sql`` : sql`and m.id < ${from}`}
    order by m.id desc limit ${limit + 1} offset ${from === undefined ? ((input.pages ?? 1) - 1) * limit : 0}`.execute(
      ctx.db,
    );
  const counted = await sql<{
    n: number;
  }>`select count(*)::int as n from (select from middleman_deal m where ${mine} limit 1001) x`.execute(ctx.db);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  const n = counted.rows[0]?.n ?? 0;
  return {
    list: await Promise.all(page.map(async (row) => await loadView(ctx, row, user.id))),
    total: Math.min(n, 1000),
    totalCapped: n > 1000,
    next: rows.length > limit && last ? encodeCursor([last.id]) : null,
  };
}

/** Closes a deal without a response in time. */
export async function expireDeal(ctx: Context, sn: string): Promise<void> {
  await sql`update middleman_deal set status = 'expired', answered_at = now() where sn = ${sn} and status = 'waiting' and expires_at <= now()`.execute(
    ctx.db,
  );
}
