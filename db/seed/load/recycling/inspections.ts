import { PLATFORM_DIST_ID } from '#contract/rules/parties.ts';
import { OrderType } from '#subjects/orders/rules/order-types.ts';
import { GoodsStatus } from '#contract/rules/statuses.ts';
import { showValue } from '#subjects/games/rules/attr-text.ts';
import { DEMO_STAFF } from '#server/demo/logins.ts';
import { encrypt } from '#server/kernel/secrets/crypto.ts';
import { demoAccount } from '../goods/goods.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { type Market, staffId } from '../market.ts';
import { storeAgain } from './inspections-again.ts';
import {
  DAY,
  endedAgo,
  HOUR,
  type Listing,
  type Plan,
  type Planned,
  PLANS,
  proofOf,
  type Read,
} from './inspections-plan.ts';
import type { Dated } from '../money/money.ts';
import type { Person } from '../people/people.ts';
import { gameOf } from '../goods/values.ts';

const FEE = 990;
/** Age of an inspection when a demo buyer requested another one. */
const AGAIN_DAYS = 18;
/** Number of listings searched for one with readings that can differ. */
const CANDIDATES = 30;
const EXPIRES_AFTER = 30 * DAY;

const TASK_COLUMNS = columns(
  `id bigint, dist_id int, goods_id bigint, kind text, asked_by text, buyer_id bigint, fee_fen bigint, status text, staff_id bigint,
  sealed_enc bytea, sealed_at timestamptz, erased_at timestamptz, opened_count int, opened_at timestamptz, claimed_at timestamptz, due_at timestamptz, done_at timestamptz,
  differs int, pictures jsonb, closed_reason text, created_at timestamptz`,
);
const READING_COLUMNS = columns(
  'task_id bigint, field text, label text, said text, found text, value jsonb, differs boolean, created_at timestamptz',
);
const NOW_COLUMNS = columns(
  'goods_id bigint, field text, label text, value text, reader text, read_at timestamptz, task_id bigint, said text, differs boolean',
);
const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');
const EVENT_COLUMNS = columns('goods_id bigint, kind text, actor text, detail jsonb, created_at timestamptz');

async function listings(market: Market, condition: string, values: unknown[], limit: number): Promise<Listing[]> {
  const { rows } = await market.client.query<Omit<Listing, 'id'> & { id: string }>(
    `select id::text, dist_id as "distId", game_id as "gameId", type_id as "typeId", attrs from goods g
     where status = ${GoodsStatus.OnSale} and type_id = ${OrderType.Account} and dist_id = ${PLATFORM_DIST_ID} and ${condition} order by id limit ${limit}`,
    values,
  );
  return rows.map((r) => ({ ...r, id: Number(r.id) }));
}

const readers = (market: Market): [number, number] => [staffId(market, 'kefu1'), staffId(market, 'kefu2')];

/** Returns the inspector who did not read the listing first, by the rule of `storeDone`, and reads it again. */
const otherReader = (goods: Listing): 'kefu1' | 'kefu2' => (goods.id % 2 === 0 ? 'kefu2' : 'kefu1');

/** Every inspection of the catalogue's goods has its task, so that page, figures and history agree. */
async function storeDone(market: Market): Promise<void> {
  await market.client.query(
    `with made as (
       insert into inspection_task (dist_id, goods_id, kind, asked_by, status, staff_id, sealed_at, erased_at, opened_count, opened_at, claimed_at, done_at, created_at, pictures)
       select dist_id, id, 'first', 'seller', 'done', ($1::bigint[])[1 + id % 2], inspected_at - interval '3 hours', inspected_at, 1,
         inspected_at - interval '20 minutes', inspected_at - interval '25 minutes', inspected_at, inspected_at - interval '3 hours',
         jsonb_build_array('../art/screen/' || (select a.code from game a where a.id = g.game_id) || '/' || (id % 900 + 1) || '/0.svg')
       from goods g where inspected_at is not null order by inspected_at returning id, goods_id),
     now as (update inspection i set task_id = m.id, said = i.value from made m where i.goods_id = m.goods_id
       returning i.task_id, i.field, i.label, i.value, i.read_at)
     insert into inspection_reading (task_id, field, label, said, found, differs, created_at)
     select task_id, field, label, value, value, false, read_at from now`,
    [readers(market)],
  );
}

/** Returns the readings of a listing; with `differs` its first number is a seventh lower. */
function readOf(goods: Listing, differs: boolean): Read[] {
  let left = differs;
  return gameOf(goods.gameId)
    .fields.filter((f) => f.goodsTypes.some((t) => t === goods.typeId) && f.kind !== 'text')
    .flatMap((field) => {
      const said = goods.attrs[field.key];
      const text = showValue(field, said);
      if (text === '') return [];
      const lower = left && field.kind === 'range' && typeof said === 'number' && said > 7;
      if (lower) left = false;
      const value = lower ? Math.floor((said * 6) / 7) : said;
      return [
        { key: field.key, label: field.label, said: text, found: showValue(field, value), value, differs: lower },
      ];
    });
}

const sealed = (market: Market, taskId: number, goodsId: number): Buffer =>
  encrypt(
    market.keys,
    `inspection_task.sealed_enc:${taskId}`,
    JSON.stringify({ account: demoAccount(goodsId), password: 'Demo-2026-river' }),
  );

const readerOf = ({ by }: Plan, goods: Listing) => (by === 'other' ? otherReader(goods) : by);

function taskRow(market: Market, { plan: p, ...t }: Planned): unknown[] {
  const at = (minutes: number): Date => market.ago(minutes);
  const isOpen = p.status === 'queued' || p.status === 'claimed' || p.status === 'review';
  const isRead = p.status === 'done' || p.status === 'review';
  const reader = readerOf(p, t.goods);
  return [
    t.id,
    t.goods.distId,
    t.goods.id,
    p.kind ?? 'first',
    p.requestedBy,
    p.kind ? t.buyerId : null,
    p.kind ? FEE : 0,
    p.status,
    reader ? staffId(market, reader) : null,
    isOpen ? sealed(market, t.id, t.goods.id) : null,
    p.status === 'waiting' ? null : at(p.ago),
    p.status === 'done' || p.status === 'closed' ? at(endedAgo(p)) : null,
    isRead ? 1 : 0,
    isRead ? at(p.ago - HOUR) : null,
    reader ? at(p.ago - HOUR) : null,
    p.due === undefined ? null : at(-p.due),
    p.status === 'done' ? at(endedAgo(p)) : null,
    t.differs,
    isRead ? proofOf(t.goods) : [],
    p.reason ?? null,
    at(p.ago),
  ];
}

/** Stores what hangs on the tasks: readings, those that count now, history, and clocks. */
async function storeWhatHangs(market: Market, tasks: readonly Planned[]): Promise<void> {
  const { client } = market;
  await insertRows(
    client,
    'inspection_reading',
    READING_COLUMNS,
    tasks.flatMap((t) =>
      t.reads.map((r) => [t.id, r.key, r.label, r.said, r.found, r.value, r.differs, market.ago(t.plan.ago - HOUR)]),
    ),
  );
  const published = tasks.filter(({ plan }) => plan.status === 'done' && plan.expired !== true);
  await insertRows(
    client,
    'inspection',
    NOW_COLUMNS,
    published.flatMap((t) =>
      t.reads.map((r) => [
        t.goods.id,
        r.key,
        r.label,
        r.found,
        nameOf(t),
        market.ago(endedAgo(t.plan)),
        t.id,
        r.said,
        r.differs,
      ]),
    ),
  );
  await insertRows(
    client,
    'goods_event',
    EVENT_COLUMNS,
    tasks
      .filter(({ plan }) => plan.status === 'done')
      .flatMap(({ plan, goods, differs }) => [
        [
          goods.id,
          'inspected',
          `staff:${staffId(market, readerOf(plan, goods) ?? 'kefu1')}`,
          { differs },
          market.ago(endedAgo(plan)),
        ],
        ...(plan.expired ? [[goods.id, 'uninspected', 'system', {}, market.ago(plan.ago - EXPIRES_AFTER)]] : []),
      ]),
  );
  await insertRows(
    client,
    'timer',
    TIMER_COLUMNS,
    tasks.flatMap(({ plan, id }) =>
      plan.due === undefined ? [] : [['inspection.due', String(id), market.ago(-plan.due)]],
    ),
  );
}

/** The inspector's name next to a reading, as the product writes it. */
const nameOf = ({ plan, goods }: Planned): string =>
  DEMO_STAFF.find(({ login }) => login === readerOf(plan, goods))?.name ?? '';

/** The listings that the plans are of; each is taken once. */
async function loadShelves(market: Market, buyer: Person, seller: Person): Promise<Record<Plan['of'], Listing[]>> {
  const ids = [buyer.id, seller.id];
  const old = market.ago(AGAIN_DAYS * DAY);
  return {
    demo: await listings(market, 'inspected_at is null and seller_id = $1', [seller.id], 2),
    other: await listings(market, 'inspected_at is null and seller_id <> all($1)', [ids], 5),
    inspected: await listings(
      market,
      'inspected_at < $2::timestamptz and seller_id <> all($1)',
      [ids, old],
      CANDIDATES,
    ),
    demoInspected: await listings(
      market,
      'inspected_at < $2::timestamptz and seller_id = $1',
      [seller.id, market.ago(8 * DAY)],
      1,
    ),
  };
}

/** Takes the first listing off a shelf, if required one with readings that can differ. */
function takeListing(shelf: Listing[], differs: boolean): Listing | undefined {
  const at = shelf.findIndex((goods) => !differs || readOf(goods, true).some((r) => r.differs));
  return at < 0 ? undefined : shelf.splice(at, 1)[0];
}

/**
 * Inspections in every state: the queue, one that differs, one that ended by time, one whose staff were late, and re-inspections that a
 * buyer paid for. Returns the postings with their times.
 */
export async function storeInspections(market: Market, people: readonly Person[]): Promise<Dated[]> {
  const { client } = market;
  await storeDone(market);
  const [buyer, seller] = [people[0], people[1]];
  if (!buyer || !seller) return [];
  const shelves = await loadShelves(market, buyer, seller);
  const ids = await reserveIds(client, 'inspection_task', PLANS.length);
  const tasks = PLANS.flatMap((plan, i): Planned[] => {
    const goods = takeListing(shelves[plan.of], plan.differs === true);
    const isRead = plan.status === 'done' || plan.status === 'review';
    const reads = goods && isRead ? readOf(goods, plan.differs === true) : [];
    const differs = reads.filter((r) => r.differs).length;
    return goods ? [{ plan, id: ids[i] ?? 0, goods, buyerId: buyer.id, reads, differs }] : [];
  });
  await insertRows(
    client,
    'inspection_task',
    TASK_COLUMNS,
    tasks.map((t) => taskRow(market, t)),
  );
  const dated = await storeAgain(
    market,
    tasks.filter(({ plan }) => plan.kind === 'again'),
    FEE,
  );
  await storeWhatHangs(market, tasks);
  return dated;
}
