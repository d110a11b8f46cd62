import { OrderStatus } from '#subjects/orders/rules/order-status.ts';
import { SettlementStatus, PaymentStatus } from '#contract/rules/statuses.ts';
import { account } from '#subjects/ledger/server/rules.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { type Market, staffId } from '../market.ts';
import type { Dated } from '../money/money.ts';
import { storeCredentials } from './credentials.ts';

const DAY = 1440;

const SETTLEMENT_COLUMNS = columns(
  `id bigint, sn text, dist_id int, amount_fen bigint, status smallint, note text, receipt_no text, asked_by bigint, decided_by bigint,
  created_at timestamptz, decided_at timestamptz`,
);

interface SettlementSeed {
  fen: number;
  status: SettlementStatus;
  ago: number;
  note?: string;
}

/** Requests of the moon site's operator so far; always less than its commission at that time. */
const SETTLEMENTS: readonly SettlementSeed[] = [
  { fen: 50_000, status: SettlementStatus.Paid, ago: 33 * DAY },
  { fen: 60_000, status: SettlementStatus.Returned, ago: 20 * DAY, note: '发票金额与申请不一致，请更正后重新提交' },
  { fen: 60_000, status: SettlementStatus.Paid, ago: 19 * DAY },
  { fen: 100_000, status: SettlementStatus.Pending, ago: 3 * 60 },
];

/** Settlements of a distributor's commission in every state. Returns the postings of those that were paid, with their times. */
export async function storeSettlements(market: Market): Promise<Dated[]> {
  const dist = market.dists.get('moon');
  if (dist === undefined) return [];
  const [operator, finance] = [staffId(market, 'fenxiao'), staffId(market, 'caiwu')];
  const ids = await reserveIds(market.client, 'dist_settlement', SETTLEMENTS.length);
  const dated: Dated[] = [];
  const rows = SETTLEMENTS.map((s, i) => {
    const id = ids[i] ?? 0;
    const decided = s.status === SettlementStatus.Pending ? null : market.ago(s.ago - 200);
    if (s.status === SettlementStatus.Paid && decided)
      dated.push({
        at: decided,
        transfer: {
          code: 'dist_settle',
          ref: `settlement:${id}`,
          debit: account.commission(dist),
          credit: account.clearing('bank', id),
          fen: s.fen,
          dist,
        },
      });
    const receipt = s.status === SettlementStatus.Paid ? `DEMO2026${String(id).padStart(6, '0')}` : null;
    const decider = decided ? finance : null;
    return [
      id,
      `CDEMO${String(id).padStart(4, '0')}`,
      dist,
      s.fen,
      s.status,
      s.note ?? null,
      receipt,
      operator,
      decider,
      market.ago(s.ago),
      decided,
    ];
  });
  await insertRows(market.client, 'dist_settlement', SETTLEMENT_COLUMNS, rows);
  return dated;
}

/** Stores who requested each entry of `asked`. */
const logged = `insert into audit_log (staff_id, act, target, detail, ip, created_at)
     select $1, act || '.ask', target, jsonb_build_object('amountFen', amount_fen, 'reason', reason), '127.0.0.1', $3 from asked`;

/**
 * Actions above the limit, requested by one person and pending for another: the payment of a large claim, the early end of a
 * large hold, the refund of a large top-up, the closing of an expensive order, a ruling, and the opening of a sealed form. The affected rows
 * depend on the market's history, so they are searched for.
 */
export async function storeApprovals(market: Market): Promise<void> {
  await storeCredentials(market);
  const { client } = market;
  const [service, finance] = [staffId(market, 'kefu1'), staffId(market, 'caiwu')];
  const limit = `(select (value ->> 'secondPersonFen')::bigint from setting where key = 'withdraw' order by version desc limit 1)`;
  await client.query(
    `with asked as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at, created_at)
       select c.dist_id, 'claim.pay', 'claim:' || c.sn,
         jsonb_build_object('action', 'pay', 'text', $2::text, 'ruleNo', null, 'amountFen', c.asked_fen, 'sparesSeller', false),
         c.asked_fen, $2, $1, now() + interval '2 days', $3
       from guarantee_claim c where c.status = 'chasing' and c.asked_fen > ${limit} order by c.id limit 1
       returning act, target, amount_fen, reason)
     ${logged}`,
    [service, '卖家失联，账号确认被找回，按保障条款赔付', market.ago(100)],
  );
  await client.query(
    `with asked as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at, created_at)
       select null, 'hold.release', 'hold:' || h.id, '{}', h.amount_fen, $2, $1, now() + interval '2 days', $3
       from hold h where h.code = 'sale_protection' and h.released_at is null and h.amount_fen > ${limit} order by h.amount_fen desc limit 1
       returning act, target, amount_fen, reason)
     ${logged}`,
    [finance, '老卖家，买家已确认换绑完成，申请提前解冻', market.ago(70)],
  );
  await client.query(
    `with asked as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at, created_at)
       select null, 'topup.refund', 'payment:' || id, jsonb_build_object('amountFen', amount_fen), amount_fen, $2, $1, now() + interval '3 days', $3
       from payment where purpose = 'topup' and status = ${PaymentStatus.Paid} and amount_fen > ${limit} and paid_at > $4 order by paid_at desc limit 1
       returning act, target, amount_fen, reason)
     ${logged}`,
    [finance, '用户误充到他人账户名下，申请退回原付款账户', market.ago(130), market.ago(3 * DAY)],
  );
  await client.query(
    `with asked as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at, created_at)
       select dist_id, 'order.close', 'order:' || sn, '{}', total_fen, $2, $1, now() + interval '3 days', $3
       from orders where status = ${OrderStatus.Paid} and total_fen > ${limit} and not disputed order by id desc limit 1
       returning act, target, amount_fen, reason)
     ${logged}`,
    [service, '卖家反馈账号已被本人找回，无法交付，双方同意全额退款', market.ago(85)],
  );
  await storeRulingDraft(market);
  await storeDeadLetters(market);
}

/** Two dead letters: one is pending and succeeds when it is run again, one was run again. */
async function storeDeadLetters(market: Market): Promise<void> {
  await market.client.query(
    `insert into dead_letter (what, name, ref, payload, error, attempts, first_failed_at, last_failed_at, status, staff_id, note, decided_at)
     select 'event', 'goods.score', d.ref, jsonb_build_object('goodsId', (select min(id) from goods)), d.error, 8,
       $2::timestamptz, $3::timestamptz, d.status, case when d.status = 'again' then $1::bigint end,
       case when d.status = 'again' then '数据库已恢复' end, case when d.status = 'again' then $4::timestamptz end
     from (values ('1', 'Error: canceling statement due to statement timeout', 'open'),
       ('2', 'Error: Connection terminated unexpectedly', 'again')) as d(ref, error, status)`,
    [staffId(market, 'admin'), market.ago(300), market.ago(240), market.ago(120)],
  );
}

/** A ruling above the limit of one person, pending approval by another. */
async function storeRulingDraft(market: Market): Promise<void> {
  const reason = '上架存档与游戏内截图不一致，影响使用，卖家没有提供证据，按规则全额退款。';
  await market.client.query(
    `with asked as (
       insert into approval (dist_id, act, target, payload, amount_fen, reason, asked_by, expires_at, created_at)
       select d.dist_id, 'dispute.rule', 'dispute:' || d.sn,
         jsonb_build_object('backFen', d.want_fen, 'rules', jsonb_build_array('2.1', '4.2'), 'reason', $2::text, 'publicText', null, 'penalty', false),
         o.total_fen, $2, $1, now() + interval '3 days', $3
       from dispute d join orders o on o.id = d.order_id where d.status = 'evidence' and d.want = 'refund' and d.want_fen = o.goods_fen
       order by d.want_fen desc limit 1
       returning act, target, amount_fen, reason)
     ${logged}`,
    [staffId(market, 'kefu1'), reason, market.ago(100)],
  );
}
