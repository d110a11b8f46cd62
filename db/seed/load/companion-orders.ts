import { createHash } from 'node:crypto';
import { account } from '#server/slices/ledger/rules.ts';
import { toneFile, toneKey, TONES } from '#server/demo/tones.ts';
import { columns, insertRows, reserveIds } from './bulk.ts';
import type { MarketSettings } from './deals-price.ts';
import type { Market } from './market.ts';
import { type Dated, storeDatedPayments } from './money.ts';
import type { OrderIds } from './order-ids.ts';
import type { Person } from './people.ts';
import { type PlainEnd, type PlainOrder, storePlainOrders } from './plain-orders.ts';

const DAY = 1440;
const HOUR_MINUTES = 60;
const NO_SHOW_MINUTES = 10;
const DEPOSIT_FEN = 20_000;

/** A package that the demo's evenings were ordered from. */
export interface EveningOffer {
  goodsSn: string;
  packageId: number;
  providerId: number;
  person: Person;
  gameId: number;
  gameName: string;
  gameCode: string;
  title: string;
  scope: string;
  fen: number;
}

/** An evening of the demo by where it has come to. Minutes; `companion` by place among those at work. */
interface Evening {
  companion: number;
  end: PlainEnd;
  state: 'pending' | 'waiting' | 'working' | 'ending' | 'checking' | 'done';
  hours: number;
  ago: number;
  /** Booked for so many hours from now, on the hour. */
  inHours?: number;
  startedAgo?: number;
  played?: number;
  /** The buyer is there, the companion is not; the clock runs out so many minutes from now. */
  missedIn?: number;
  buyer: number;
}

/** One evening of every state for the demo buyer (0); the demo seller (1) and the demo shop (5) are two of the companions. */
const EVENINGS: readonly Evening[] = [
  {
    companion: 0,
    end: 'completed',
    state: 'done',
    hours: 2,
    ago: 9 * DAY,
    startedAgo: 9 * DAY - 6,
    played: 120,
    buyer: 0,
  },
  {
    companion: 1,
    end: 'completed',
    state: 'done',
    hours: 1,
    ago: 5 * DAY,
    startedAgo: 5 * DAY - 7,
    played: 60,
    buyer: 0,
  },
  {
    companion: 2,
    end: 'completed',
    state: 'done',
    hours: 3,
    ago: 3 * DAY,
    startedAgo: 3 * DAY - 5,
    played: 180,
    buyer: 0,
  },
  { companion: 1, end: 'shipped', state: 'checking', hours: 2, ago: 260, startedAgo: 250, played: 120, buyer: 0 },
  { companion: 2, end: 'paid', state: 'waiting', hours: 2, ago: 90, inHours: 26, buyer: 0 },
  { companion: 0, end: 'paid', state: 'ending', hours: 2, ago: 70, startedAgo: 60, played: 48, buyer: 0 },
  // Half a minute after the demo opens the companion has not come, and everything goes back by itself.
  { companion: 4, end: 'paid', state: 'waiting', hours: 1, ago: 20, missedIn: 0.5, buyer: 0 },
  { companion: 3, end: 'paid', state: 'working', hours: 3, ago: 40, startedAgo: 30, buyer: 0 },
  { companion: 1, end: 'paid', state: 'pending', hours: 1, ago: 3, buyer: 0 },
];

const SERVICE_COLUMNS = columns(
  `order_id bigint, package_id bigint, provider_id bigint, type_id smallint, units int, minutes int, mode text, form jsonb, state text,
  starts_at timestamptz, accept_by timestamptz, accepted_at timestamptz, started_at timestamptz, due_at timestamptz, finished_at timestamptz,
  buyer_start_at timestamptz, seller_start_at timestamptz, end_by smallint, played_minutes int, booked_at timestamptz`,
);
const SLOT_COLUMNS = columns('order_id bigint, provider_id bigint, during tstzrange');
const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');
const VOICE_COLUMNS = columns('key text, owner_id bigint, mime text, seconds smallint, bytes int, sha256 bytea');
const DEPOSIT_COLUMNS = columns(
  'id bigint, user_id bigint, role text, kind smallint, amount_fen bigint, ref text, reason text, created_at timestamptz',
);

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

/** Deposits of companions who have none otherwise, out of a top-up. */
export async function storeCompanionDeposits(market: Market, people: readonly Person[]): Promise<Dated[]> {
  const ago = 40 * DAY;
  const at = market.ago(ago - 10);
  const { topups } = await storeDatedPayments(
    market,
    people.map((person) => ({ userId: person.id, distId: person.distId, orderId: null, fen: DEPOSIT_FEN, ago })),
  );
  const ids = await reserveIds(market.client, 'deposit_entry', people.length);
  const entries = people.map((person, i) => ({ person, id: ids[i] ?? 0 }));
  await insertRows(
    market.client,
    'deposit_entry',
    DEPOSIT_COLUMNS,
    entries.map(({ person, id }) => [id, person.id, 'companion', 1, DEPOSIT_FEN, `seed:${id}`, '缴纳陪玩保证金', at]),
  );
  return [
    ...topups,
    ...entries.map(({ person, id }) => ({
      at,
      transfer: {
        code: 'deposit_in' as const,
        ref: `deposit:${id}`,
        debit: account.available(person.id),
        credit: account.deposit(person.id),
        fen: DEPOSIT_FEN,
        dist: person.distId,
      },
    })),
  ];
}

const orderOf = (evening: Evening, offer: EveningOffer, buyer: Person): PlainOrder => ({
  typeId: 61,
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
    areaName: '微信区',
    serverName: '',
    attrs: {},
    picture: null,
    fieldsVersion: 1,
    facts: [
      { label: '服务方式', value: '一起组队' },
      { label: '数量', value: `${evening.hours}小时` },
      { label: '服务内容', value: offer.scope },
    ],
    shipSeconds: 600,
    service: true,
  },
  end: evening.end,
  ago: evening.ago,
});

/** The moments of an evening. */
function timesOf(market: Market, evening: Evening) {
  const { state, ago, startedAgo, hours, inHours, played, missedIn } = evening;
  const minutes = hours * HOUR_MINUTES;
  const now = market.ago(0).getTime();
  const booked = inHours === undefined ? null : new Date(Math.ceil(now / 3_600_000) * 3_600_000 + inHours * 3_600_000);
  const started = startedAgo === undefined ? null : market.ago(startedAgo);
  const missed = missedIn === undefined ? null : market.ago(NO_SHOW_MINUTES - missedIn);
  const starts = booked ?? missed ?? (started && new Date(started.getTime() + 60_000));
  const due = started ?? booked ?? missed;
  return {
    minutes,
    booked,
    started,
    starts: state === 'pending' ? null : starts,
    there: missed ? market.ago(NO_SHOW_MINUTES - 1) : started,
    accepted: state === 'pending' ? null : market.ago(ago - 5),
    due: state === 'pending' || !due ? null : new Date(due.getTime() + minutes * 60_000),
    finished: started && played !== undefined ? new Date(started.getTime() + played * 60_000) : null,
  };
}

function rowOf(market: Market, evening: Evening, offer: EveningOffer, orderId: number): unknown[] {
  const t = timesOf(market, evening);
  return [
    orderId,
    offer.packageId,
    offer.providerId,
    61,
    evening.hours,
    t.minutes,
    'together',
    { area: '微信区', note: '' },
    evening.state,
    t.starts,
    evening.state === 'pending' ? null : market.ago(evening.ago - 14),
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
function timersOf(market: Market, evening: Evening, orderId: number): unknown[][] {
  const t = timesOf(market, evening);
  const ref = String(orderId);
  if (evening.state === 'waiting' && t.starts) return [['service.noShow', ref, new Date(t.starts.getTime() + 600_000)]];
  if (evening.state === 'working' && t.due) return [['service.playEnd', ref, t.due]];
  if (evening.state === 'ending' && t.finished)
    return [['service.endFinal', ref, new Date(t.finished.getTime() + 1_800_000)]];
  return [];
}

/** Evenings in every state, with their money, time and clocks. `offers` has one of each companion at work, in their order. */
export async function storeEvenings(
  market: Market,
  people: readonly Person[],
  offers: readonly EveningOffer[],
  settings: MarketSettings,
  orderIds: OrderIds,
): Promise<Dated[]> {
  const planned = EVENINGS.flatMap((evening) => {
    const [offer, buyer] = [offers[evening.companion], people[evening.buyer]];
    return offer && buyer ? [{ evening, offer, order: orderOf(evening, offer, buyer) }] : [];
  });
  const { ids, dated } = await storePlainOrders(
    market,
    planned.map(({ order }) => order),
    settings,
    orderIds,
  );
  const stored = planned.map((one, i) => ({ ...one, id: ids[i] ?? 0 }));
  await insertRows(
    market.client,
    'service_order',
    SERVICE_COLUMNS,
    stored.map(({ evening, offer, id }) => rowOf(market, evening, offer, id)),
  );
  await insertRows(
    market.client,
    'companion_slot',
    SLOT_COLUMNS,
    stored.flatMap(({ evening, offer, id }) => {
      const { booked, started, starts, due } = timesOf(market, evening);
      const from = booked ?? started ?? starts;
      const isHeld = evening.state === 'waiting' || evening.state === 'working';
      return isHeld && from && due ? [[id, offer.providerId, `[${from.toISOString()},${due.toISOString()})`]] : [];
    }),
  );
  await insertRows(
    market.client,
    'timer',
    TIMER_COLUMNS,
    stored.flatMap(({ evening, id }) => timersOf(market, evening, id)),
  );
  const accepted = stored.filter(({ evening }) => evening.state !== 'pending').map(({ id }) => id);
  await market.client.query(`update orders set touched_at = created_at where id = any($1::bigint[])`, [accepted]);
  return dated;
}
