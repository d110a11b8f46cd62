import { BOOSTING } from '#contract/rules/order-status.ts';
import { account, type Transfer } from '#server/slices/ledger/rules.ts';
import { columns, insertRows } from './bulk.ts';
import { DAY, HOUR, isPaidAhead, type Made, planned, STAGES } from './boosting-plan.ts';
import { dealSn } from './deals-price.ts';
import { type Market, staffId } from './market.ts';
import type { Person } from './people.ts';

const REQUEST_COLUMNS = columns(
  `id bigint, sn text, dist_id int, buyer_id bigint, game_id int, kind smallint, scope_kind text, from_rank text, to_rank text, area text, note text, mode text,
  minutes int, milestones jsonb, goods_fen bigint, total_fen bigint, safety_fen bigint, efficiency_fen bigint, price jsonb, status text, order_id bigint,
  expires_at timestamptz, created_at timestamptz, ended_at timestamptz`,
);
const ORDER_COLUMNS = columns(
  `id bigint, sn text, dist_id int, type_id smallint, goods_sn text, game_id int, buyer_id bigint, seller_id bigint, staff_id bigint, status smallint,
  goods_num int, unit_price_fen bigint, goods_fen bigint, service_fee_fen bigint, total_fen bigint, commission_fen bigint, advance_fen bigint,
  advance_goods_fen bigint, fees jsonb, snapshot jsonb, ship_by timestamptz, paid_at timestamptz, shipped_at timestamptz, auto_confirm_at timestamptz,
  touched_at timestamptz, delivered_at timestamptz, shut_at timestamptz, created_at timestamptz, self_placed boolean`,
);
const PROCESS_COLUMNS = columns(
  'order_id bigint, order_status smallint, explain text, actor text, created_at timestamptz',
);
const SERVICE_COLUMNS = columns(
  `order_id bigint, provider_id bigint, type_id smallint, units int, minutes int, mode text, form jsonb, state text, safety_fen bigint, efficiency_fen bigint,
  accepted_at timestamptz, started_at timestamptz, due_at timestamptz, paused_at timestamptz, finished_at timestamptz, proof_due_at timestamptz,
  efficiency_to_buyer boolean`,
);
const MILESTONE_COLUMNS = columns(
  `order_id bigint, seq smallint, title text, share_fen bigint, state text, pictures jsonb, note text, submitted_at timestamptz, answered_at timestamptz,
  progress_percent smallint, paid_fen bigint`,
);
const HOLD_COLUMNS = columns(
  'user_id bigint, amount_fen bigint, code text, reason text, ref text, released_at timestamptz, release_note text, created_at timestamptz',
);

/** Drawn by the server, as the pictures of the demo's listings are, under the code of a seeded game: the seed stores no files. */
const FILE = { key: '../art/goods/wzry/7/0.svg' };

function requestRow(market: Market, m: Made): unknown[] {
  const { plan } = m;
  const total = plan.fen + m.feeFen;
  const ended = plan.status === 'open' ? null : market.ago(plan.status === 'taken' ? plan.ago - 4 : plan.ago - 30);
  const price = {
    lines: [
      { code: 'goods', label: '出价', fen: plan.fen, rule: '' },
      { code: 'service', label: '服务费', fen: m.feeFen, rule: '1%' },
    ],
    goodsFen: plan.fen,
    serviceFeeFen: m.feeFen,
    ensureFen: 0,
    fixEnsureFen: 0,
    discountFen: 0,
    totalFen: total,
    commissionFen: m.commissionFen,
    distShareFen: 0,
    inviteRewardFen: 0,
  };
  return [
    m.id,
    m.sn,
    1,
    m.buyer.id,
    m.gameId,
    m.kind,
    'rank',
    plan.from,
    plan.to,
    '微信一区',
    plan.note ?? '',
    plan.mode,
    plan.hours * HOUR,
    STAGES,
    plan.fen,
    total,
    m.safetyFen,
    m.efficiencyFen,
    price,
    plan.status,
    plan.status === 'taken' ? m.orderId : null,
    market.ago(plan.ago - DAY),
    market.ago(plan.ago),
    ended,
  ];
}

function orderRow(market: Market, m: Made): unknown[] {
  const { plan } = m;
  const at = market.ago(plan.ago - 4);
  const shipped = plan.state === 'checking' ? market.ago(plan.ago - 10 * HOUR) : null;
  return [
    m.orderId,
    dealSn(at, m.orderId * 7 + 5),
    1,
    BOOSTING,
    m.sn,
    m.gameId,
    m.buyer.id,
    m.booster.userId,
    staffId(market, 'kefu1'),
    plan.state === 'ended' ? 9 : plan.state === 'checking' ? 2 : 1,
    1,
    plan.fen,
    plan.fen,
    m.feeFen,
    plan.fen + m.feeFen,
    m.commissionFen,
    m.advanceFen,
    m.advanceFen > 0 ? (m.shares[0] ?? 0) : 0,
    [
      { code: 'goods', label: '出价', fen: plan.fen, rule: '' },
      { code: 'service', label: '服务费', fen: m.feeFen, rule: '1%' },
    ],
    {
      title: `${m.gameName} ${plan.from} 打到 ${plan.to}`,
      gameCode: plan.code,
      gameName: m.gameName,
      areaName: '微信一区',
      serverName: '',
      attrs: {},
      picture: null,
      fieldsVersion: 1,
      facts: [{ label: '从哪到哪', value: `${plan.from} 打到 ${plan.to}` }],
      shipSeconds: plan.hours * 3600,
      service: true,
    },
    market.ago(plan.ago - 4 - plan.hours * HOUR),
    at,
    shipped,
    shipped && market.ago(plan.ago - 10 * HOUR - 3 * DAY),
    at,
    at,
    plan.state === 'paused' ? market.ago(50) : null,
    at,
    false,
  ];
}

function processRows(market: Market, m: Made): unknown[][] {
  const at = market.ago(m.plan.ago - 4);
  const booster = `user:${m.booster.userId}`;
  const rows: unknown[][] = [
    [m.orderId, 0, '打手接了买家的发单，货款由发单托管转入订单', booster, at],
    [m.orderId, 1, '买家已付款，货款由平台托管', `boost:${m.id}`, at],
    [m.orderId, 1, '打手已接单，开始计时', booster, at],
  ];
  if (m.plan.state === 'checking')
    rows.push([m.orderId, 2, '服务方已完成，等待买家验收', booster, market.ago(m.plan.ago - 10 * HOUR)]);
  if (m.plan.state === 'ended')
    rows.push([
      m.orderId,
      9,
      '服务已取消，货款已全额退回买家余额：打手放弃订单：排位时间冲突',
      booster,
      market.ago(m.plan.ago - HOUR),
    ]);
  return rows;
}

function serviceRow(market: Market, m: Made): unknown[] {
  const { plan } = m;
  const at = market.ago(plan.ago - 4);
  const finished =
    plan.state === 'checking'
      ? market.ago(plan.ago - 10 * HOUR)
      : plan.state === 'ended'
        ? market.ago(plan.ago - HOUR)
        : null;
  return [
    m.orderId,
    m.booster.id,
    BOOSTING,
    1,
    plan.hours * HOUR,
    plan.mode,
    { area: '微信一区', note: plan.note ?? '' },
    plan.state,
    m.safetyFen,
    m.efficiencyFen,
    at,
    at,
    market.ago(plan.ago - 4 - plan.hours * HOUR),
    plan.state === 'paused' ? market.ago(50) : null,
    finished,
    plan.state === 'working' ? market.ago(-90) : null,
    plan.state === 'ended',
  ];
}

function milestoneRows(market: Market, m: Made): unknown[][] {
  const { plan } = m;
  const at = market.ago(plan.ago - 3 * HOUR);
  const isPaid = isPaidAhead(plan);
  const first = isPaid ? 'accepted' : 'pending';
  const second = plan.state === 'checking' ? 'submitted' : 'pending';
  const hasProof = (plan.percent ?? 0) > 0;
  return [
    [
      m.orderId,
      1,
      STAGES[0]?.title,
      m.shares[0],
      first,
      [],
      hasProof ? '连胜中，战绩见截图' : '',
      isPaid ? at : null,
      isPaid ? at : null,
      plan.percent ?? 0,
      isPaid ? m.advanceFen : null,
    ],
    [
      m.orderId,
      2,
      STAGES[1]?.title,
      m.shares[1],
      second,
      second === 'submitted' ? [FILE] : [],
      '',
      second === 'submitted' ? market.ago(plan.ago - 10 * HOUR) : null,
      null,
      second === 'submitted' ? 100 : 0,
      null,
    ],
  ];
}

const DEPOSITS = [
  ['service_safety', 'safetyFen', '安全保证金'],
  ['service_efficiency', 'efficiencyFen', '效率保证金'],
] as const;

function holdRows(market: Market, m: Made): unknown[][] {
  const end = m.plan.state === 'ended' ? market.ago(m.plan.ago - HOUR) : null;
  return DEPOSITS.map(([code, field, name]) => [
    m.booster.userId,
    m[field],
    code,
    `订单的${name}，订单结束后退回`,
    String(m.orderId),
    end,
    end && '订单已结束',
    market.ago(m.plan.ago - 4),
  ]);
}

/** What an open order and its order did with money, in the order in which it happened. */
function moneyOf(m: Made): Transfer[] {
  const { plan, orderId } = m;
  const total = plan.fen + m.feeFen;
  const [free, ask, escrow] = [account.available(m.buyer.id), account.boostRequest(m.id), account.escrow(orderId)];
  const [available, frozen] = [account.available(m.booster.userId), account.frozen(m.booster.userId)];
  const posted: Transfer = { code: 'boost_ask', ref: `request:${m.id}`, debit: free, credit: ask, fen: total, dist: 1 };
  if (plan.status === 'open') return [posted];
  if (plan.status !== 'taken')
    return [posted, { code: 'boost_ask_back', ref: `request:${m.id}`, debit: ask, credit: free, fen: total, dist: 1 }];
  const same = { dist: 1, order: orderId };
  const lines: Transfer[] = [
    posted,
    { ...same, code: 'boost_ask_pay', ref: `order:${orderId}`, debit: ask, credit: escrow, fen: total },
    ...DEPOSITS.map(
      ([code, field]): Transfer => ({
        ...same,
        code: 'service_deposit_in',
        ref: `${code}:${orderId}`,
        debit: available,
        credit: frozen,
        fen: m[field],
      }),
    ),
  ];
  if (m.advanceFen > 0)
    lines.push({
      ...same,
      code: 'milestone_paid',
      ref: `order:${orderId}:1`,
      debit: escrow,
      credit: available,
      fen: m.advanceFen,
    });
  if (plan.state === 'ended')
    lines.push(
      { ...same, code: 'order_refund', ref: `order:${orderId}`, debit: escrow, credit: free, fen: total },
      {
        ...same,
        code: 'service_deposit_out',
        ref: `service_safety:${orderId}`,
        debit: frozen,
        credit: available,
        fen: m.safetyFen,
      },
      {
        ...same,
        code: 'service_deposit_paid',
        ref: `service_efficiency:${orderId}`,
        debit: frozen,
        credit: free,
        fen: m.efficiencyFen,
      },
    );
  return lines;
}

/** Open orders of boosting in every state, with the orders that came of them and their money. */
export async function storeBoosting(market: Market, people: readonly Person[]): Promise<void> {
  const { client } = market;
  const made = await planned(market, people);
  const orders = made.filter(({ plan }) => plan.status === 'taken');
  await insertRows(
    client,
    'orders',
    ORDER_COLUMNS,
    orders.map((m) => orderRow(market, m)),
  );
  await insertRows(
    client,
    'boost_request',
    REQUEST_COLUMNS,
    made.map((m) => requestRow(market, m)),
  );
  await insertRows(
    client,
    'order_process',
    PROCESS_COLUMNS,
    orders.flatMap((m) => processRows(market, m)),
  );
  await insertRows(
    client,
    'service_order',
    SERVICE_COLUMNS,
    orders.map((m) => serviceRow(market, m)),
  );
  await insertRows(
    client,
    'service_milestone',
    MILESTONE_COLUMNS,
    orders.flatMap((m) => milestoneRows(market, m)),
  );
  await insertRows(
    client,
    'hold',
    HOLD_COLUMNS,
    orders.flatMap((m) => holdRows(market, m)),
  );
  await client.query('select ledger_post($1::jsonb)', [JSON.stringify(made.flatMap(moneyOf))]);
  for (const { plan, id, orderId } of made) {
    if (plan.status === 'open')
      await client.query('select effect_schedule($1, $2, $3)', [
        'boost.expire',
        String(id),
        market.ago(plan.ago - DAY),
      ]);
    if (plan.state === 'paused')
      await client.query('select effect_schedule($1, $2, $3)', [
        'service.resume',
        String(orderId),
        market.ago(-2 * DAY),
      ]);
    if (plan.state === 'working')
      await client.query('select effect_schedule($1, $2, $3)', ['service.proof', String(orderId), market.ago(-90)]);
    if (plan.state === 'checking')
      await client.query('select effect_schedule($1, $2, $3)', [
        'order.autoConfirm',
        String(orderId),
        market.ago(-2 * DAY),
      ]);
  }
}
