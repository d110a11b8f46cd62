import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { createHash } from 'node:crypto';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { toneFile, toneKey, TONES } from '#server/demo/tones.ts';
import { columns, insertRows } from '../bulk.ts';
import { type Evening, eveningsOf } from './companion-plan.ts';
import { storeTips, type TipSeed } from './companion-tips.ts';
import type { MarketSettings } from '../trades/trades-price.ts';
import type { Market } from '../market.ts';
import type { Dated } from '../money/money.ts';
import type { OrderIds } from '../trades/order-ids.ts';
import type { Person } from '../people/people.ts';
import { type PlainOrder, storePlainOrders } from '../trades/plain-orders.ts';
import { regionText, type ServiceOffer } from './service-packages.ts';
import { storeServiceReviews } from './service-reviews.ts';

const HOUR_MINUTES = 60;
const NO_SHOW_MINUTES = 10;
/** Users unrelated to the demo's people who order services; none of them provides one. */
const STRANGERS_FROM = 200;
const REVIEW_AFTER = 45;
const CONFIRM_AFTER = 15;
const TIP_AFTER = 25;
const REFUSED_AFTER = 7;

const SERVICE_COLUMNS = columns(
  `order_id bigint, package_id bigint, provider_id bigint, type_id smallint, units int, minutes int, mode text, form jsonb, state text,
  starts_at timestamptz, accept_by timestamptz, accepted_at timestamptz, started_at timestamptz, due_at timestamptz, finished_at timestamptz,
  buyer_start_at timestamptz, seller_start_at timestamptz, end_by smallint, played_minutes int, booked_at timestamptz`,
);
const SLOT_COLUMNS = columns('order_id bigint, provider_id bigint, during tstzrange');
const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');
const VOICE_COLUMNS = columns('key text, owner_id bigint, mime text, seconds smallint, bytes int, sha256 bytea');
/** The voices of companions; their files are stored when the server starts. Returns their keys. */
export async function storeVoices(market: Market, people: readonly Person[]): Promise<string[]> {
  const rows = people.flatMap((person, i) => {
    const tone = TONES[i];
    if (!tone) return [];
    const file = toneFile(tone);
    return [
      [toneKey(tone), person.id, 'audio/wav', tone.seconds, file.length, createHash('sha256').update(file).digest()],
    ];
  });
  await insertRows(market.client, 'voice_clip', VOICE_COLUMNS, rows);
  return rows.map(([key]) => String(key));
}

/** When an evening was over, in minutes before now. */
const endedAgo = ({ startedAgo = 0, played = 0 }: Evening): number => startedAgo - played;

const orderOf = (evening: Evening, offer: ServiceOffer, buyer: Person): PlainOrder => ({
  typeId: COMPANION_PLAY,
  gameId: offer.gameId,
  buyer,
  seller: offer.person,
  unitFen: offer.fen,
  num: evening.hours,
  offerSn: offer.goodsSn,
  snapshot: {
    title: offer.title,
    gameCode: offer.gameCode,
    gameName: offer.gameName,
    areaName: regionText(offer.gameId),
    serverName: '',
    attrs: {},
    picture: { cover: offer.goodsSn, v: '' },
    fieldsVersion: 1,
    facts: [
      { label: '服务方式', value: offer.mode === 'online' ? '语音指导' : '一起组队' },
      { label: '数量', value: `${evening.hours}小时` },
      { label: '区服', value: regionText(offer.gameId) },
      { label: '服务内容', value: offer.scope },
    ],
    shipSeconds: 600,
    service: true,
  },
  end: evening.end,
  ago: evening.ago,
  ...(evening.played !== undefined && {
    shippedAgo: endedAgo(evening),
    doneAgo: Math.max(0.5, endedAgo(evening) - CONFIRM_AFTER),
  }),
});

const hourFrom = (now: number, hours: number): Date =>
  new Date(Math.ceil(now / 3_600_000) * 3_600_000 + hours * 3_600_000);

/** The moments of an evening. */
function timesOf(market: Market, evening: Evening) {
  const { ago, startedAgo, hours, inHours, played, missedIn, lateBy = -1 } = evening;
  const isAccepted = evening.state !== 'pending' && evening.state !== 'ended';
  const minutes = hours * HOUR_MINUTES;
  const booked = inHours === undefined ? null : hourFrom(market.now.getTime(), inHours);
  const started = startedAgo === undefined ? null : market.ago(startedAgo);
  const missed = missedIn === undefined ? null : market.ago(NO_SHOW_MINUTES - missedIn);
  const starts = booked ?? missed ?? (started && new Date(started.getTime() - lateBy * 60_000));
  const due = started ?? booked ?? missed;
  const until = due && new Date(due.getTime() + minutes * 60_000);
  const refusedAgo = evening.state === 'ended' ? ago - REFUSED_AFTER : null;
  return {
    minutes,
    booked,
    started,
    until,
    starts: isAccepted ? starts : null,
    there: missed ? market.ago(NO_SHOW_MINUTES - 1) : started,
    // A booking is answered at least two hours before its start.
    acceptBy: isAccepted ? market.ago(ago - 14) : booked && new Date(booked.getTime() - 2 * 3_600_000),
    accepted: isAccepted ? market.ago(ago - 5) : null,
    due: isAccepted ? until : null,
    finished:
      refusedAgo !== null
        ? market.ago(refusedAgo)
        : started && played !== undefined
          ? new Date(started.getTime() + played * 60_000)
          : null,
  };
}

function rowOf(market: Market, { evening, offer, id }: Stored): unknown[] {
  const t = timesOf(market, evening);
  return [
    id,
    offer.packageId,
    offer.providerId,
    COMPANION_PLAY,
    evening.hours,
    t.minutes,
    offer.mode,
    { area: regionText(offer.gameId), note: '' },
    evening.state,
    t.starts,
    t.acceptBy,
    t.accepted,
    t.started,
    t.due,
    t.finished,
    t.there,
    t.started,
    evening.state === 'ending' ? 1 : null,
    evening.played ?? null,
    t.booked,
  ];
}

/** The clocks of an evening that is not over. */
function timersOf(market: Market, { evening, id }: Stored): unknown[][] {
  const t = timesOf(market, evening);
  const ref = String(id);
  if (evening.state === 'pending' && t.acceptBy) return [['service.accept', ref, t.acceptBy]];
  if (evening.state === 'waiting' && t.starts) return [['service.noShow', ref, new Date(t.starts.getTime() + 600_000)]];
  if (evening.state === 'working' && t.due) return [['service.playEnd', ref, t.due]];
  if (evening.state === 'ending' && t.finished)
    return [['service.endFinal', ref, new Date(t.finished.getTime() + 1_800_000)]];
  return [];
}

/** The hours that are one buyer's: accepted ones, and booked ones from the moment they are paid. */
function slotOf(market: Market, { evening, offer, id }: Stored): unknown[][] {
  const { booked, started, starts, until } = timesOf(market, evening);
  const from = booked ?? started ?? starts;
  const isHeld =
    evening.state === 'waiting' || evening.state === 'working' || (evening.state === 'pending' && booked !== null);
  return isHeld && from && until ? [[id, offer.providerId, `[${from.toISOString()},${until.toISOString()})`]] : [];
}

interface Stored {
  evening: Evening;
  offer: ServiceOffer;
  order: PlainOrder;
  id: number;
}

/** Tips after some evenings. Returns the postings with their times. */
const tipsOf = (stored: readonly Stored[]): TipSeed[] =>
  stored.flatMap(({ evening, order, id: orderId }) =>
    evening.tipFen === undefined
      ? []
      : [{ orderId, order, fen: evening.tipFen, ago: Math.max(1, endedAgo(evening) - TIP_AFTER) }],
  );

/** Stores the rows that depend on evenings: their services, taken hours, clocks and reviews. */
async function storeWhatHangs(market: Market, stored: readonly Stored[]): Promise<void> {
  const { client } = market;
  await insertRows(
    client,
    'service_order',
    SERVICE_COLUMNS,
    stored.map((one) => rowOf(market, one)),
  );
  await insertRows(
    client,
    'companion_slot',
    SLOT_COLUMNS,
    stored.flatMap((one) => slotOf(market, one)),
  );
  await insertRows(
    client,
    'timer',
    TIMER_COLUMNS,
    stored.flatMap((one) => timersOf(market, one)),
  );
  await storeServiceReviews(
    market,
    stored.flatMap(({ evening, order, offer, id }) =>
      evening.review
        ? [
            {
              orderId: id,
              typeId: COMPANION_PLAY,
              gameId: offer.gameId,
              buyerId: order.buyer.id,
              sellerId: order.seller.id,
              review: evening.review,
              ago: Math.max(1, endedAgo(evening) - REVIEW_AFTER),
            },
          ]
        : [],
    ),
  );
}

/** Evenings in every state, with their money, time, clocks and reviews. `offers` are the packages of the active companions, in order. */
export async function storeEvenings(
  market: Market,
  people: readonly Person[],
  offers: readonly ServiceOffer[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const shelves = [...Map.groupBy(offers, ({ providerId }) => providerId).values()];
  const strangers = people.filter(
    (p) => p.index >= STRANGERS_FROM && p.verified && !p.merchant && p.distId === PLATFORM_DIST_ID,
  );
  const planned = eveningsOf(market).flatMap((evening) => {
    const shelf = shelves[evening.companion] ?? [];
    const offer = shelf[(evening.nth ?? 0) % Math.max(1, shelf.length)];
    const buyer = evening.stranger === undefined ? people[0] : strangers[evening.stranger % strangers.length];
    return offer && buyer ? [{ evening, offer, order: orderOf(evening, offer, buyer) }] : [];
  });
  const { ids, dated } = await storePlainOrders(
    market,
    planned.map(({ order }) => order),
    settings,
    orderIds,
  );
  const stored = planned.map((one, i): Stored => ({ ...one, id: ids[i] ?? 0 }));
  await storeWhatHangs(market, stored);
  // Whoever accepted has until the end of the hours, as the product moves it.
  await market.client.query(
    `update orders o set touched_at = case when s.accepted_at is not null then o.created_at end, ship_by = coalesce(s.due_at, s.accept_by, o.ship_by)
     from service_order s where s.order_id = o.id and o.id = any($1::bigint[])`,
    [stored.map(({ id }) => id)],
  );
  return [...dated, ...(await storeTips(market, tipsOf(stored), settings.fees))];
}
