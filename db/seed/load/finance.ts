import { account } from '#server/slices/ledger/rules.ts';
import { maskPayee } from '#server/slices/verification/rules.ts';
import { mixSeed } from '../generate/random.ts';
import { columns, insertRows, reserveIds } from './bulk.ts';
import { type Market, staffId } from './market.ts';
import { type Dated, storeDatedPayments } from './money.ts';
import type { Person } from './people.ts';
import { indexed, sealed } from './places.ts';

const DAY = 1440;

interface WithdrawalSeed {
  person: number;
  fen: number;
  /** 0 asked, 1 being paid, 2 paid, 3 refused. */
  status: 0 | 2 | 3;
  ago: number;
  note?: string;
  /** One of two has approved it already. */
  half?: true;
}

/** Withdrawals in every state, most of them of the demo seller; one is above the limit that asks for a second person. */
const WITHDRAWALS: readonly WithdrawalSeed[] = [
  { person: 1, fen: 120_000, status: 2, ago: 41 * DAY },
  { person: 1, fen: 86_050, status: 2, ago: 12 * DAY },
  { person: 1, fen: 50_000, status: 3, ago: 9 * DAY, note: '收款账户信息有误，请核对后重新提交' },
  { person: 1, fen: 30_000, status: 0, ago: 95 },
  { person: 5, fen: 680_000, status: 0, ago: 300, half: true },
  { person: 5, fen: 520_000, status: 0, ago: 40 },
  { person: 5, fen: 200_000, status: 2, ago: 6 * DAY },
];

const PAYOUT_COLUMNS = columns(
  `id bigint, user_id bigint, kind text, account_enc bytea, account_hash bytea, account_mask text, name_enc bytea, usable_from timestamptz,
  created_at timestamptz`,
);
const WITHDRAWAL_COLUMNS = columns(
  `id bigint, sn text, dist_id int, user_id bigint, payout_account_id bigint, amount_fen bigint, status smallint, note text, approved_by bigint,
  second_by bigint, channel text, channel_no text, created_at timestamptz, decided_at timestamptz, paid_at timestamptz`,
);
const HOLD_COLUMNS = columns(
  `user_id bigint, amount_fen bigint, code text, reason text, ref text, released_at timestamptz, release_note text, created_at timestamptz`,
);

/** Alipay accounts of those who withdraw. Returns their ids by person. */
async function storePayoutAccounts(market: Market, people: readonly Person[]): Promise<Map<number, number>> {
  const owners = [0, 1, 5].flatMap((i) => people[i] ?? []);
  const ids = await reserveIds(market.client, 'payout_account', owners.length);
  const rows = owners.map((p, i) => {
    return [
      ids[i],
      p.id,
      'alipay',
      sealed.payout(market.keys, p.id, p.phone),
      indexed.payout(market.keys, 'alipay', p.phone),
      maskPayee(p.phone),
      sealed.payoutName(market.keys, p.id, p.made.realName),
      market.ago(80 * DAY),
      market.ago(81 * DAY),
    ];
  });
  await insertRows(market.client, 'payout_account', PAYOUT_COLUMNS, rows);
  return new Map(owners.map((p, i) => [p.id, ids[i] ?? 0]));
}

/** Withdrawals with their holds, each of what its owner had earned by then. Answers the postings with their moments. */
export async function storeWithdrawals(market: Market, people: readonly Person[]): Promise<Dated[]> {
  const accounts = await storePayoutAccounts(market, people);
  const ids = await reserveIds(market.client, 'withdrawal', WITHDRAWALS.length);
  const [finance, admin] = [staffId(market, 'caiwu'), staffId(market, 'admin')];
  const withdrawals: unknown[][] = [];
  const holds: unknown[][] = [];
  const dated: Dated[] = [];
  for (const [i, w] of WITHDRAWALS.entries()) {
    const person = people[w.person];
    if (!person) continue;
    const id = ids[i] ?? 0;
    const sn = `WDEMO${mixSeed(market.seed, id, 95).toString(16).toUpperCase().padStart(8, '0')}`;
    const at = market.ago(w.ago);
    const decided = w.status === 0 ? null : new Date(at.getTime() + 5_400_000);
    const paid = w.status === 2;
    withdrawals.push([
      id,
      sn,
      person.distId,
      person.id,
      accounts.get(person.id),
      w.fen,
      w.status,
      w.note ?? null,
      w.status !== 0 || w.half ? finance : null,
      paid && w.fen > 500_000 ? admin : null,
      paid ? 'sandbox' : null,
      paid ? `T${sn}` : null,
      at,
      decided,
      paid ? decided : null,
    ]);
    const note = { 0: null, 2: '已打款', 3: w.note ?? '' }[w.status];
    holds.push([person.id, w.fen, 'withdrawal', `提现 ${sn} 处理中，打款成功或退回后结束`, sn, decided, note, at]);
    const ref = `withdrawal:${id}`;
    const [available, frozen] = [account.available(person.id), account.frozen(person.id)];
    const same = { ref, fen: w.fen, dist: person.distId };
    dated.push({ at, transfer: { ...same, code: 'withdraw_ask', debit: available, credit: frozen } });
    if (decided === null) continue;
    dated.push({
      at: decided,
      transfer: paid
        ? { ...same, code: 'withdraw_paid', debit: frozen, credit: account.clearing('sandbox', id) }
        : { ...same, code: 'withdraw_back', debit: frozen, credit: available },
    });
  }
  await insertRows(market.client, 'withdrawal', WITHDRAWAL_COLUMNS, withdrawals);
  await insertRows(market.client, 'hold', HOLD_COLUMNS, holds);
  return dated;
}

/** What the money staff did to it, for the audit log. */
export async function storeAudit(market: Market): Promise<void> {
  await market.client.query(
    `insert into audit_log (staff_id, act, target, detail, ip, created_at)
     select approved_by, case when status = 3 then 'withdrawal.refuse' else 'withdrawal.approve' end, 'withdrawal:' || sn,
       jsonb_build_object('amountFen', amount_fen, 'note', note), '127.0.0.1', coalesce(decided_at, created_at)
     from withdrawal where approved_by is not null order by coalesce(decided_at, created_at)`,
  );
}

/** Top-ups of the last days, so that finance has some that may still go back to their source. Answers their postings. */
export async function storeFreshTopups(market: Market, people: readonly Person[]): Promise<Dated[]> {
  const fresh: readonly [person: number, fen: number, ago: number][] = [
    [3, 50_000, 3 * DAY],
    [4, 650_000, DAY],
    [0, 20_000, 45],
  ];
  const payments = fresh.flatMap(([i, fen, ago]) => {
    const person = people[i];
    return person ? [{ userId: person.id, distId: person.distId, orderId: null, fen, ago }] : [];
  });
  return (await storeDatedPayments(market, payments)).topups;
}
