import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { sql } from 'kysely';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { hoursText, isOpenAt } from '#subjects/providers/rules/opening-hours.ts';
import { ladderOf, routeText } from '../rules/rank-ladder.ts';
import { milestoneShares, serviceLabels } from '../rules/service.ts';
import type { placeServiceOrder, serviceOffer } from '#subjects/services/contract/services.ts';
import { yuanLabel } from '#contract/wire.ts';
import type { Call, UserCall } from '#server/access/call.ts';
import { publishable } from '#server/contacts.ts';
import type { Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { ORDERS_OPEN } from '#server/states/order-states.ts';
import { type Catalogue, catalogue, showsGame } from '#subjects/games/server/service.ts';
import { avatarUrl, companionAvatar, imageUrl, voiceOf } from '#subjects/media/server/service.ts';
import { type UnlistedOrder, unlistedPrice, placeUnlisted } from '#subjects/orders/server/service.ts';
import {
  type ProviderRow,
  providerById,
  providerGoodRate,
  providerOnTimeRate,
} from '#subjects/providers/server/service.ts';
import { areBlocked } from './blocks.ts';
import { type Booking, bookingDetails, loadBooking, nextBookingReason, takeSlot } from './companions/booking.ts';
import { skillsOf } from './boosters.ts';
import { profileOf } from './companions/record.ts';
import { loadOpenOrders, packageByGoods, type PackageRow, routeOf } from './queries.ts';
import { busyReason, maxOpenOrders } from './roles.ts';
import { acceptSecondsOf, beginText, companionSetting, modeName } from './terms.ts';

const THUMB_WIDTH = 320;

type Offer = HandlerResult<typeof serviceOffer>;

interface Found {
  pack: PackageRow;
  provider: ProviderRow;
}

async function found(call: Call, goodsSn: string): Promise<Found> {
  const pack = await packageByGoods(call.ctx.db, goodsSn);
  const provider = pack && (await providerById(call.ctx.db, pack.providerId));
  if (!pack || !provider || !showsGame(call.dist, pack.gameId)) throw new AppError('GOODS_NOT_FOUND');
  return { pack, provider };
}

/** Why a package cannot be ordered now; null when it can. */
async function closedReason(db: Trx, { pack, provider }: Found): Promise<string | null> {
  if (pack.goodsStatus !== GoodsStatus.OnSale || provider.status !== 'approved') return '该套餐已下架';
  return pack.typeId === COMPANION_PLAY ? null : await busyReason(db, provider, pack.typeId);
}

/** Why play cannot begin now; its hours can still be booked. */
export async function closedNow(db: Trx, provider: ProviderRow, minutes: number): Promise<string | null> {
  if (!isOpenAt(profileOf(provider).hours, Date.now())) return '现在不在接单时段';
  const busy = await busyReason(db, provider, COMPANION_PLAY);
  return busy ?? (await nextBookingReason(db, provider.id, minutes));
}

/** A package of boosting without milestones is delivered as a whole; companion play has none. */
function offeredMilestones(pack: PackageRow): { title: string; shareBp: number }[] {
  if (pack.typeId === COMPANION_PLAY) return [];
  return pack.milestones.length > 0 ? pack.milestones : [{ title: '完成全部服务', shareBp: 10_000 }];
}

/**
 * The minutes that a buyer's first order with a companion may be tried for nothing. An order that offers them and has
 * not ended counts as the first, also
 * one that was booked at the same moment: orders of one buyer are stored one after the other (`order_place`). So does one of an earlier account of
 * the same person.
 */
async function loadTrial(db: Trx, { pack, provider }: Found, buyerId: number): Promise<number> {
  const { trialMinutes } = profileOf(provider);
  if (pack.typeId !== COMPANION_PLAY || trialMinutes === 0) return 0;
  const { rows } = await sql`select from service_order s join orders o on o.id = s.order_id
    where s.provider_id = ${provider.id} and o.buyer_id in (select accounts_of_person(${buyerId}))
      and (s.accepted_at is not null or s.form ? 'trialMinutes' and o.status in ${ORDERS_OPEN}) limit 1`.execute(db);
  return rows.length === 0 ? trialMinutes : 0;
}

/** The terms of companion play in addition to the common part of an offer; null for boosting. */
async function loadCompanion(call: Call, one: Found): Promise<Offer['companion']> {
  const { pack, provider } = one;
  if (pack.typeId !== COMPANION_PLAY) return null;
  const { gender, city, tags, hours } = profileOf(provider);
  const { readySeconds, bookAcceptSeconds, noShowSeconds, endAnswerSeconds } = companionSetting(call.ctx);
  return {
    voice: voiceOf(provider.voice),
    pictures: provider.pictures.map(({ key }) => ({ url: imageUrl(key), thumb: imageUrl(key, THUMB_WIDTH) })),
    gender,
    city,
    tags,
    hours: hoursText(hours),
    noShows: provider.noShowCount,
    closedNow: await closedNow(call.ctx.db, provider, pack.minutes * pack.minUnits),
    trialMinutes: await loadTrial(call.ctx.db, one, call.caller.user?.id ?? 0),
    readyMinutes: Math.round(readySeconds / 60),
    bookAcceptMinutes: Math.round(bookAcceptSeconds / 60),
    noShowMinutes: Math.round(noShowSeconds / 60),
    endMinutes: Math.round(endAnswerSeconds / 60),
  };
}

/** The start and target rank of a package; null for other work, and when the game no longer has them. */
function offeredRoute(all: Catalogue, pack: PackageRow): Offer['route'] {
  const route = routeOf(pack);
  const text = route && routeText(ladderOf(all.fieldsOf(pack.gameId)), route);
  return route && text ? { ...route, text } : null;
}

/** A package with its price for the viewer and its provider's record. Throws GOODS_NOT_FOUND. */
export async function loadOffer(call: Call, { goodsSn, num }: Parsed<typeof serviceOffer>): Promise<Offer> {
  const { ctx, dist } = call;
  const { user } = call.caller;
  const { db } = ctx;
  const one = await found(call, goodsSn);
  const { pack, provider } = one;
  const units = Math.min(Math.max(num, pack.minUnits), pack.maxUnits);
  const [all, openOrders, most, closed, price] = await Promise.all([
    catalogue(ctx),
    loadOpenOrders(db, provider.id),
    maxOpenOrders(db, provider.userId, pack.typeId),
    closedReason(db, one),
    unlistedPrice(ctx, dist, {
      unitFen: pack.priceFen,
      num: units,
      buyer: { id: user?.id ?? 0, inviterId: user?.inviterId ?? null },
      sellerId: provider.userId,
    }),
  ]);
  const milestones = offeredMilestones(pack);
  const route = offeredRoute(all, pack);
  const shares = milestoneShares(
    price.goodsFen,
    milestones.map((m) => m.shareBp),
  );
  return {
    goodsSn,
    typeId: pack.typeId,
    title: pack.title,
    scope: pack.scope,
    unit: pack.unit,
    minNum: pack.minUnits,
    maxNum: pack.maxUnits,
    mode: pack.mode,
    modeName: modeName(pack.mode, pack.typeId),
    hours: Math.round((pack.minutes * units) / 6) / 10,
    price: pack.priceFen,
    total: price.totalFen,
    fees: price.lines.map((line) => ({ label: line.label, amount: line.fen, rule: line.rule })),
    safetyDeposit: pack.safetyFen,
    efficiencyDeposit: pack.efficiencyFen,
    acceptMinutes: Math.round(acceptSecondsOf(ctx, pack) / 60),
    gameId: pack.gameId,
    goodsVersion: pack.goodsVersion ?? 0,
    route,
    milestones: milestones.map((m, i) => ({ title: m.title, sharePercent: m.shareBp / 100, amount: shares[i] ?? 0 })),
    provider: {
      name: provider.name,
      avatar:
        pack.typeId === COMPANION_PLAY
          ? companionAvatar(provider)
          : avatarUrl(provider.avatar, provider.name, provider.userId),
      intro: provider.intro,
      online: provider.online,
      doneNum: provider.doneCount,
      onTimeRate: providerOnTimeRate(provider),
      goodRate: providerGoodRate(provider),
      openOrders,
      maxOpenOrders: most,
      skills: skillsOf(provider, all).map(({ gameName, rank, note }) => ({ gameName, rank, note })),
    },
    companion: await loadCompanion(call, one),
    closed,
  };
}

/** Checks that the package is unchanged since the buyer saw it, and locks it until the order is stored. */
async function requireUnchanged(trx: Trx, pack: PackageRow): Promise<void> {
  const { rows } = await sql<{ version: number; status: number }>`
    select version, status from goods where id = ${pack.goodsId} for share`.execute(trx);
  if (rows[0]?.status !== GoodsStatus.OnSale) throw new AppError('GOODS_NOT_ON_SALE', { text: '该套餐已下架' });
  if (rows[0].version !== pack.goodsVersion)
    throw new AppError('GOODS_CHANGED', { text: '套餐已变更，请刷新后重新确认' });
}

async function storeService(
  trx: Trx,
  orderId: number,
  { pack, provider }: Found,
  terms: {
    units: number;
    goodsFen: number;
    area: string;
    note: string;
    trialMinutes: number;
    booking: Booking | null;
  },
): Promise<void> {
  await sql`insert into service_order (order_id, package_id, provider_id, type_id, units, minutes, mode, form, safety_fen, efficiency_fen, booked_at, prolongs_id)
    values (${orderId}, ${pack.id}, ${provider.id}, ${pack.typeId}, ${terms.units}, ${pack.minutes * terms.units}, ${pack.mode},
      ${JSON.stringify({ area: terms.area, note: terms.note, ...(terms.trialMinutes > 0 && { trialMinutes: terms.trialMinutes }) })}::jsonb, ${pack.safetyFen}, ${pack.efficiencyFen},
      ${terms.booking?.startsAt ?? null}, ${terms.booking?.prolongsId ?? null})`.execute(trx);
  if (terms.booking)
    await takeSlot(trx, { orderId, providerId: provider.id }, terms.booking.startsAt, pack.minutes * terms.units);
  const milestones = offeredMilestones(pack);
  const shares = milestoneShares(
    terms.goodsFen,
    milestones.map((m) => m.shareBp),
  );
  for (const [i, m] of milestones.entries())
    await sql`insert into service_milestone (order_id, seq, title, share_fen) values (${orderId}, ${i + 1}, ${m.title}, ${shares[i] ?? 0})`.execute(
      trx,
    );
}

/** The order's terms as they are stored. */
async function loadDeal(
  { ctx }: UserCall,
  { pack }: Found,
  terms: Pick<UnlistedOrder, 'unitFen' | 'num' | 'buyer' | 'sellerId' | 'price'>,
  { goodsSn, area, note, booking }: { goodsSn: string; area: string; note: string; booking: Booking | null },
): Promise<UnlistedOrder> {
  const all = await catalogue(ctx);
  const game = all.game(pack.gameId);
  return {
    ...terms,
    typeId: pack.typeId,
    gameId: pack.gameId,
    offerSn: goodsSn,
    snapshot: {
      title: pack.title,
      gameCode: game?.code ?? '',
      gameName: game?.name ?? '',
      areaName: area,
      serverName: '',
      attrs: {},
      picture: pack.goodsSn === null ? null : { cover: pack.goodsSn, v: '' },
      fieldsVersion: 1,
      facts: [
        ...routeDetails(offeredRoute(all, pack)),
        ...detailsOf(pack, terms.num, area, note),
        ...bookingDetails(booking),
      ],
      shipSeconds: acceptSecondsOf(ctx, { ...pack, bookedAt: booking?.startsAt ?? null }),
      service: true,
      ...(pack.typeId === BOOSTING && pack.mode === 'together' && { together: true as const }),
    },
    explain: `买家提交${serviceLabels(pack.typeId).service}订单，等待付款`,
  };
}

/**
 * Orders a package: the same order, escrow, payment and chat as goods have, plus milestones. Throws GOODS_*, COIN_LOTS,
 * PRICE_CHANGED, SERVICE_CLOSED, BAD_INPUT, REAL_NAME_REQUIRED, REAL_NAME_MINOR.
 */
export async function placeService(
  call: UserCall,
  input: Parsed<typeof placeServiceOrder>,
): Promise<HandlerResult<typeof placeServiceOrder>> {
  const { ctx, user, dist } = call;
  const placed = await placeUnlisted(call, async () => {
    const one = await found(call, input.goodsSn);
    const { pack, provider } = one;
    if (provider.userId === user.id) throw new AppError('GOODS_OWN', { text: '不能购买自己的套餐' });
    const closed = await closedReason(ctx.db, one);
    // The same sentence for both parties, so that it does not reveal who blocked whom.
    if (closed !== null || (await areBlocked(ctx.db, user.id, provider.userId)))
      throw new AppError('SERVICE_CLOSED', { text: closed ?? '对方暂不接您的订单' });
    if (input.goodsVersion !== undefined && input.goodsVersion !== pack.goodsVersion)
      throw new AppError('GOODS_CHANGED');
    if (input.num < pack.minUnits || input.num > pack.maxUnits)
      throw new AppError('BAD_INPUT', {
        text: `该套餐每次可买 ${pack.minUnits} 至 ${pack.maxUnits}${pack.unit}`,
        field: 'num',
      });
    const booking = await loadBooking(
      call,
      one,
      input,
      async () => await closedNow(ctx.db, provider, pack.minutes * input.num),
    );
    const area = publishable(ctx.blockedWords, '区服', input.area, 'area');
    const note = publishable(ctx.blockedWords, '补充说明', input.note ?? '', 'note');
    const buyer = { id: user.id, inviterId: user.inviterId };
    const terms = { unitFen: pack.priceFen, num: input.num, buyer, sellerId: provider.userId };
    const price = await unlistedPrice(ctx, dist, terms);
    if (input.shownPrice !== undefined && input.shownPrice !== price.totalFen)
      throw new AppError('PRICE_CHANGED', {
        text: `费用刚刚调整，应付金额现在是 ${yuanLabel(price.totalFen)} 元，请核对后再提交`,
      });
    const deal = await loadDeal(call, one, { ...terms, price }, { goodsSn: input.goodsSn, area, note, booking });
    const stored = { units: input.num, goodsFen: price.goodsFen, area, note, booking };
    return {
      deal,
      also: async (trx, { orderId }) => {
        await requireUnchanged(trx, pack);
        await storeService(trx, orderId, one, { ...stored, trialMinutes: await loadTrial(trx, one, user.id) });
      },
    };
  });
  return {
    orderId: placed.orderId,
    orderSn: placed.orderSn,
    status: placed.status,
    totalPrice: placed.totalFen,
    createTime: new Date(placed.createTime),
  };
}

const routeDetails = (route: Offer['route']): { label: string; value: string }[] =>
  route === null ? [] : [{ label: '从哪到哪', value: route.text }];

const detailsOf = (pack: PackageRow, num: number, area: string, note: string): { label: string; value: string }[] => [
  { label: '服务方式', value: modeName(pack.mode, pack.typeId) },
  { label: '数量', value: `${num}${pack.unit}` },
  {
    label: '约定用时',
    value: `${Math.round((pack.minutes * num) / 6) / 10} 小时${pack.typeId === BOOSTING ? `内，从${beginText(pack.mode)}起算，暂停不计` : '，从双方点开始起算'}`,
  },
  { label: '区服', value: area },
  { label: '服务内容', value: pack.scope },
  ...(note === '' ? [] : [{ label: '补充说明', value: note }]),
];
