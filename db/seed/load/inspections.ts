import { showValue } from '#contract/rules/attr-text.ts';
import { encrypt } from '#server/kernel/crypto.ts';
import { account } from '#server/slices/ledger/rules.ts';
import { columns, insertRows, reserveIds } from './bulk.ts';
import { type Market, staffId } from './market.ts';
import type { Dated } from './money.ts';
import type { Person } from './people.ts';
import { gameOf } from './values.ts';

const HOUR = 60;
const DAY = 24 * HOUR;
const FEE = 990;

const TASK_COLUMNS = columns(
  `id bigint, dist_id int, goods_id bigint, kind text, asked_by text, buyer_id bigint, fee_fen bigint, status text, staff_id bigint,
  sealed_enc bytea, sealed_at timestamptz, opened_count int, opened_at timestamptz, claimed_at timestamptz, due_at timestamptz, done_at timestamptz,
  differs int, closed_reason text, created_at timestamptz`,
);
const READING_COLUMNS = columns(
  'task_id bigint, field text, label text, said text, found text, value jsonb, differs boolean, created_at timestamptz',
);
const NOW_COLUMNS = columns(
  'goods_id bigint, field text, label text, value text, reader text, read_at timestamptz, task_id bigint, said text, differs boolean',
);
const TIMER_COLUMNS = columns('kind text, ref text, due_at timestamptz');
const EVENT_COLUMNS = columns('goods_id bigint, kind text, actor text, detail jsonb, created_at timestamptz');

/** What a task of the queue is like; `ago` and `due` in minutes, the latter from now. */
interface Plan {
  of: 'demo' | 'other' | 'inspected';
  kind?: 'again';
  askedBy: 'seller' | 'staff' | 'buyer';
  status: 'waiting' | 'queued' | 'claimed' | 'done' | 'closed';
  ago: number;
  due?: number;
  by?: 'kefu1' | 'kefu2';
  reason?: string;
  differs?: true;
  expired?: true;
}

const PLANS: readonly Plan[] = [
  { of: 'demo', askedBy: 'seller', status: 'done', ago: 2 * DAY, by: 'kefu1', differs: true },
  { of: 'demo', askedBy: 'staff', status: 'waiting', ago: 3 * HOUR, due: 45 * HOUR },
  { of: 'other', askedBy: 'seller', status: 'queued', ago: 20 * HOUR, due: 3 * HOUR },
  { of: 'other', askedBy: 'seller', status: 'queued', ago: 5 * HOUR, due: 19 * HOUR },
  { of: 'other', askedBy: 'seller', status: 'claimed', ago: 6 * HOUR, due: 18 * HOUR, by: 'kefu2' },
  { of: 'other', askedBy: 'seller', status: 'closed', ago: 4 * DAY, reason: '客服没有在时限内验完' },
  { of: 'other', askedBy: 'seller', status: 'done', ago: 40 * DAY, by: 'kefu2', expired: true },
  { of: 'inspected', kind: 'again', askedBy: 'buyer', status: 'queued', ago: 2 * HOUR, due: 22 * HOUR },
];

interface Listing {
  id: number;
  distId: number;
  gameId: number;
  typeId: number;
  attrs: Record<string, unknown>;
}

async function listings(market: Market, condition: string, values: unknown[], limit: number): Promise<Listing[]> {
  const { rows } = await market.client.query<Omit<Listing, 'id'> & { id: string }>(
    `select id::text, dist_id as "distId", game_id as "gameId", type_id as "typeId", attrs from goods g
     where status = 2 and type_id = 1 and dist_id = 1 and ${condition} order by id limit ${limit}`,
    values,
  );
  return rows.map((r) => ({ ...r, id: Number(r.id) }));
}

/** Every inspection of the catalogue's goods has its task, so that page, figures and history agree. */
async function storeDone(market: Market): Promise<void> {
  const staff = [staffId(market, 'kefu1'), staffId(market, 'kefu2')];
  await market.client.query(
    `with made as (
       insert into inspection_task (dist_id, goods_id, kind, asked_by, status, staff_id, sealed_at, erased_at, opened_count, opened_at, claimed_at, done_at, created_at)
       select dist_id, id, 'first', 'seller', 'done', ($1::bigint[])[1 + id % 2], inspected_at - interval '3 hours', inspected_at, 1,
         inspected_at - interval '20 minutes', inspected_at - interval '25 minutes', inspected_at, inspected_at - interval '3 hours'
       from goods where inspected_at is not null returning id, goods_id),
     now as (update inspection i set task_id = m.id, said = i.value from made m where i.goods_id = m.goods_id
       returning i.task_id, i.field, i.label, i.value, i.read_at)
     insert into inspection_reading (task_id, field, label, said, found, differs, created_at)
     select task_id, field, label, value, value, false, read_at from now`,
    [staff],
  );
}

interface Read {
  key: string;
  label: string;
  said: string;
  found: string;
  value: unknown;
  differs: boolean;
}

/** What is read of a listing; with `differs` its first number is a seventh lower. */
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

const sealed = (market: Market, taskId: number): Buffer =>
  encrypt(
    market.keys,
    `inspection_task.sealed_enc:${taskId}`,
    JSON.stringify({ account: `demo${taskId}`, password: 'Demo-2026-river' }),
  );

function taskRow(
  market: Market,
  p: Plan,
  t: { id: number; goods: Listing; buyerId: number; differs: number },
): unknown[] {
  const at = (minutes: number): Date => market.ago(minutes);
  const isOpen = p.status === 'queued' || p.status === 'claimed';
  const isRead = p.status === 'done';
  return [
    t.id,
    t.goods.distId,
    t.goods.id,
    p.kind ?? 'first',
    p.askedBy,
    p.kind ? t.buyerId : null,
    p.kind ? FEE : 0,
    p.status,
    p.by ? staffId(market, p.by) : null,
    isOpen ? sealed(market, t.id) : null,
    p.status === 'waiting' ? null : at(p.ago),
    isRead ? 1 : 0,
    isRead ? at(p.ago - HOUR) : null,
    p.by ? at(p.ago - HOUR) : null,
    p.due === undefined ? null : at(-p.due),
    isRead ? at(p.ago - HOUR - 18) : null,
    t.differs,
    p.reason ?? null,
    at(p.ago),
  ];
}

/** A planned task with its listing and what was read of it. */
interface Planned {
  plan: Plan;
  id: number;
  goods: Listing;
  buyerId: number;
  reads: Read[];
  differs: number;
}

/** Stores what hangs on the tasks: readings, those that count now, history, and clocks. */
async function storeWhatHangs(market: Market, tasks: readonly Planned[]): Promise<void> {
  const { client } = market;
  await insertRows(
    client,
    'inspection_reading',
    READING_COLUMNS,
    tasks.flatMap((t) =>
      t.reads.map((r) => [
        t.id,
        r.key,
        r.label,
        r.said,
        r.found,
        JSON.stringify(r.value),
        r.differs,
        market.ago(t.plan.ago - HOUR),
      ]),
    ),
  );
  const shown = tasks.filter(({ plan }) => plan.status === 'done' && plan.expired !== true);
  await insertRows(
    client,
    'inspection',
    NOW_COLUMNS,
    shown.flatMap((t) =>
      t.reads.map((r) => [
        t.goods.id,
        r.key,
        r.label,
        r.found,
        '客服小晴',
        market.ago(t.plan.ago - HOUR),
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
          `staff:${staffId(market, plan.by ?? 'kefu1')}`,
          { differs },
          market.ago(plan.ago - HOUR),
        ],
        ...(plan.expired ? [[goods.id, 'uninspected', 'system', {}, market.ago(plan.ago - 30 * DAY)]] : []),
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

/**
 * Inspections in every state: the queue, one that differs, one that ended by time, one whose staff were late, and a buyer's re-inspection
 * with its fee in escrow. Answers the postings with their moments.
 */
export async function storeInspections(market: Market, people: readonly Person[]): Promise<Dated[]> {
  const { client } = market;
  await storeDone(market);
  const [buyer, seller] = [people[0], people[1]];
  if (!buyer || !seller) return [];
  const shelves = {
    demo: await listings(market, 'inspected_at is null and seller_id = $1', [seller.id], 2),
    other: await listings(market, 'inspected_at is null and seller_id <> all($1)', [[buyer.id, seller.id]], 5),
    inspected: await listings(
      market,
      'inspected_at < $2::timestamptz and seller_id <> all($1)',
      [[buyer.id, seller.id], market.ago(9 * DAY)],
      1,
    ),
  };
  const ids = await reserveIds(client, 'inspection_task', PLANS.length);
  const tasks = PLANS.flatMap((plan, i) => {
    const goods = shelves[plan.of].shift();
    const reads = goods && plan.status === 'done' ? readOf(goods, plan.differs === true) : [];
    const differs = reads.filter((r) => r.differs).length;
    return goods ? [{ plan, id: ids[i] ?? 0, goods, buyerId: buyer.id, reads, differs }] : [];
  });
  await insertRows(
    client,
    'inspection_task',
    TASK_COLUMNS,
    tasks.map((t) => taskRow(market, t.plan, t)),
  );
  await storeWhatHangs(market, tasks);
  return tasks
    .filter(({ plan }) => plan.kind === 'again')
    .map(({ plan, id }) => ({
      at: market.ago(plan.ago),
      transfer: {
        code: 'inspection_fee',
        ref: `inspection:${id}`,
        debit: account.available(buyer.id),
        credit: account.inspection(id),
        fen: FEE,
        dist: 1,
      },
    }));
}
