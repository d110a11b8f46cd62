import type { DeliveryId } from '#contract/rules/catalogue.ts';
import { OrderStatus, isInProgress } from '../../rules/order-status.ts';
import { RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { sql } from 'kysely';
import type { Step } from '#subjects/games/contract/games.ts';
import type { ExchangeKind } from '../../rules/exchange.ts';
import { type StepField, usualStepFields } from '../../rules/sealed-fields.ts';
import type { Trx } from '#server/db/client.ts';
import type { Context } from '#server/context.ts';
import { catalogue, type RuledOutStep, stepsForGoods } from '#subjects/games/server/service.ts';
import { ORDERS_IN_PROGRESS } from '#server/states/order-states.ts';

export interface HandoverRow {
  step: number;
  key: string;
  title: string;
  actor: 'seller' | 'buyer' | 'staff';
  minutes: number;
  required: boolean;
  beforeShip: boolean;
  evidence: boolean;
  secret: boolean;
  /** The fields of its sealed form; empty = the default fields. */
  fields: StepField[];
  /** The values that the parties exchange in it; null for other steps. */
  exchange: ExchangeKind | null;
  explain: string;
  /** While it is open, the seller's money stays in escrow. */
  blocks: boolean;
  pictures: { key: string }[];
  doneBy: string | null;
  doneAt: Date | null;
  /** The buyer has skipped it. */
  skipped: boolean;
}

/** The hand-over type of a deal without hand-over steps. */
const NO_STEPS_TYPE = 0;

/**
 * Handing an account to a recycler: sealed by the seller, read by staff. Later steps are between the recycler and the
 * game.
 */
export const RECYCLING_STEPS: readonly Step[] = [
  {
    key: 'seal',
    title: '密封提交账号',
    actor: 'seller',
    minutes: 120,
    evidence: false,
    required: true,
    beforeShip: true,
    secret: true,
    // Nobody can log in without these two.
    fields: usualStepFields.map((field) => ({
      ...field,
      required: field.key === 'account' || field.key === 'password',
    })),
    explain: '账号、密码与换绑要用的信息，只有验号员能打开；没成交就清除',
  },
  {
    key: 'check_login',
    title: '验号',
    actor: 'staff',
    minutes: 240,
    evidence: true,
    required: true,
    beforeShip: true,
    explain: '验号员逐项核对报价时填写的内容：对得上就付款，对不上按公布的数减价，由卖家决定卖不卖',
  },
];

interface BareOrder {
  id: number;
  type_id: number;
  game_id: number | null;
  attrs: Record<string, unknown>;
  readings: Record<string, string>;
  together: boolean;
  delivery: number | null;
  /** Minutes from the payment to the time to ship; null for services, which have separate clocks. */
  ship_minutes: number | null;
}

/**
 * Creates the hand-over steps of paid orders from the newest catalogue version of their games, except steps excluded by
 * the goods' properties. Runs once, on first use or on the payment event, so that the payment itself stays short; every
 * rule about steps calls it first. Orders that have their steps or are not in progress stay unchanged. Locks the others
 * in the transaction of `trx`.
 */
export async function ensureHandovers(ctx: Context, trx: Trx, orderIds: readonly number[]): Promise<void> {
  const { rows } = await sql<BareOrder>`
    select o.id, coalesce((o.snapshot->>'handoverType')::int, o.type_id) as type_id, o.game_id, coalesce(o.snapshot->'attrs', '{}') as attrs,
      o.snapshot->'together' is not null as together, (o.snapshot->>'delivery')::int as delivery,
      case when o.snapshot->>'service' is null then ceil(extract(epoch from o.ship_by - o.paid_at) / 60)::int end as ship_minutes,
      (select coalesce(jsonb_object_agg(i.field, i.value), '{}') from inspection i where i.goods_id = o.goods_id) as readings
    from orders o where o.id = any(${[...orderIds]}::bigint[]) and o.handover_version is null and o.status in ${ORDERS_IN_PROGRESS}
    order by o.id for update of o`.execute(trx);
  if (rows.length === 0) return;
  const made = await Promise.all(rows.map(async (row) => ({ orderId: row.id, ...(await stepsFor(ctx, row)) })));
  const list = made.flatMap(({ orderId, steps }) =>
    steps.map((s, i) => ({
      ...s,
      orderId,
      secret: s.secret === true,
      fields: s.fields ?? [],
      exchange: s.exchange ?? null,
      step: i + 1,
    })),
  );
  const ruledOut = made.flatMap(({ orderId, ruledOut }) => ruledOut.map((one) => ({ ...one, orderId })));
  await sql`
    with made as (
      insert into order_handover (order_id, step, key, title, actor, minutes, required, before_ship, evidence, secret, fields, exchange, explain)
      select s."orderId", s.step, s.key, s.title, s.actor, s.minutes, s.required, s."beforeShip", s.evidence, s.secret, s.fields, s.exchange, s.explain
      from jsonb_to_recordset(${JSON.stringify(list)}::jsonb) as s("orderId" bigint, step int, key text, title text, actor text, minutes int, required boolean,
        "beforeShip" boolean, evidence boolean, secret boolean, fields jsonb, exchange text, explain text) on conflict do nothing),
    ruled_out as (
      insert into order_step_ruled_out (order_id, key, after_step, title, reason)
      select r."orderId", r.key, r."afterStep", r.title, r.reason
      from jsonb_to_recordset(${JSON.stringify(ruledOut)}::jsonb) as r("orderId" bigint, key text, "afterStep" int, title text, reason text) on conflict do nothing)
    update orders o set handover_version = v.version
    from unnest(${made.map((one) => one.orderId)}::bigint[], ${made.map((one) => one.version)}::int[]) as v(id, version) where o.id = v.id`.execute(
    trx,
  );
}

/** The same for one order. */
export async function ensureHandover(ctx: Context, trx: Trx, orderId: number): Promise<void> {
  await ensureHandovers(ctx, trx, [orderId]);
}

/** The instructions for both parties and the required evidence, by delivery method of coin. */
const DELIVERY_STEPS: Readonly<Record<number, { meet: string; deliver: string }>> = {
  1: {
    meet: '卖家在群里说明用哪个角色邮寄、几点前寄出，买家核对收货角色名',
    deliver: '邮寄给买家的角色，上传寄出成功的截图，要看得清收件角色和数量',
  },
  2: {
    meet: '双方在群里核对拍卖物品、标价和服务器',
    deliver: '在拍卖行买下买家挂的物品，上传成交截图，要看得清物品和成交价',
  },
  3: {
    meet: '双方在群里约好地点和时间，互相核对角色名',
    deliver: '当面交易，上传交易完成的截图，要看得清对方角色名和数量',
  },
} satisfies Record<DeliveryId, { meet: string; deliver: string }>;

function byDelivery(s: Step, delivery: number | null): Step {
  const texts = delivery === null ? undefined : DELIVERY_STEPS[delivery];
  return texts && (s.key === 'meet' || s.key === 'deliver') ? { ...s, explain: texts[s.key] } : s;
}

const withoutAccount = (s: Step): Step =>
  s.key === 'accept' ? { ...s, title: '验收', explain: '买家验收结果后确认，有问题请先申诉' } : s;

/** No step before the shipping takes longer than the time to ship, which a coin shop promises itself; its clock ends by then anyway. */
const withinPromise = (s: Step, shipMinutes: number | null): Step =>
  s.beforeShip && shipMinutes !== null ? { ...s, minutes: Math.min(s.minutes, shipMinutes) } : s;

async function stepsFor(ctx: Context, row: BareOrder) {
  if (row.type_id === RECYCLED_ACCOUNT) {
    const { handOverSeconds } = ctx.dir.setting('recycling');
    const minutes = Math.round(handOverSeconds / 60);
    const steps = RECYCLING_STEPS.map((s) => (s.key === 'seal' ? { ...s, minutes } : s));
    return { version: 0, steps, ruledOut: [] };
  }
  if (row.game_id === null || row.type_id === NO_STEPS_TYPE) return { version: 0, steps: [], ruledOut: [] };
  const all = await catalogue(ctx);
  const { version, steps: listed } = all.handoverOf(row.game_id, row.type_id);
  // A buyer who plays along keeps the account: nothing is sealed, and no password is changed.
  const steps = row.together
    ? listed.flatMap((s) => (s.secret ? [] : [withoutAccount(s)]))
    : listed.map((s) => byDelivery(s, row.delivery));
  const readings = new Map(Object.entries(row.readings));
  const timed = steps.map((s) => withinPromise(s, row.ship_minutes));
  return { version, ...stepsForGoods(timed, all.fieldsOf(row.game_id), row.attrs, readings) };
}

/** Steps excluded by the goods' properties, in their order. */
export async function ruledOutSteps(db: Trx, orderId: number): Promise<RuledOutStep[]> {
  const { rows } = await sql<RuledOutStep>`
    select after_step as "afterStep", key, title, reason from order_step_ruled_out where order_id = ${orderId} order by after_step, key`.execute(
    db,
  );
  return rows;
}

/** An order's steps in their order. */
export async function handoverRows(db: Trx, orderId: number): Promise<HandoverRow[]> {
  const { rows } = await sql<HandoverRow>`
    select step, key, title, actor, minutes, required, before_ship as "beforeShip", evidence, secret, fields, exchange, explain, order_step_blocks(order_id, step, actor, exchange) as blocks, pictures, done_by as "doneBy", done_at as "doneAt", skipped
    from order_handover where order_id = ${orderId} order by step`.execute(db);
  return rows;
}

/** The current step: the first that is not done and that the order's state permits. */
export function currentStep(rows: readonly HandoverRow[], status: number): HandoverRow | undefined {
  if (!isInProgress(status)) return undefined;
  return rows.find((r) => r.doneAt === null && (status === OrderStatus.Shipped || r.beforeShip));
}

/** The required steps of an order in progress that are not done. */
export function openOf(rows: readonly HandoverRow[], status: number): HandoverRow[] {
  return isInProgress(status) ? rows.filter((r) => r.required && r.doneAt === null) : [];
}
