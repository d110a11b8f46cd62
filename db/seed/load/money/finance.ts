import { WithdrawalStatus } from '#contract/rules/statuses.ts';
import { account } from '#subjects/ledger/server/rules.ts';
import { maskPayee } from '#subjects/verification/server/rules.ts';
import { mixSeed } from '../../generate/random.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import { type Market, staffId } from '../market.ts';
import type { Dated } from './money.ts';
import type { Person } from '../people/people.ts';
import { indexed, encryptedValues } from '../people/encrypted-values.ts';

const DAY = 1440;

interface WithdrawalSeed {
  person: number;
  fen: number;
  status: WithdrawalStatus;
  ago: number;
  note?: string;
  /** To a bank card, which finance pays by list; else to Alipay. */
  bank?: true;
  /** One of two has approved it already. */
  half?: true;
  /** The channel refused it for good, or it was paid and then returned. */
  end?: 'failed' | 'bounced';
}

/** Texts for the owner about a failed payout and a returned one (payments/payouts/payout.ts, payout-recheck.ts). */
const FAILED = '打款失败，金额已退回余额，请核对收款账户后重新提交';
const BOUNCED = '打款后被收款方退回，金额已退回余额，请核对收款账户后重新提交';

/** Withdrawals in every state, most of them of the demo seller; one is above the limit that requires a second person. */
const WITHDRAWALS: readonly WithdrawalSeed[] = [
  { person: 1, fen: 120_000, status: WithdrawalStatus.Paid, ago: 41 * DAY },
  { person: 1, fen: 86_050, status: WithdrawalStatus.Paid, ago: 12 * DAY },
  {
    person: 1,
    fen: 50_000,
    status: WithdrawalStatus.Returned,
    ago: 9 * DAY,
    note: '收款账户信息有误，请核对后重新提交',
  },
  { person: 1, fen: 26_000, status: WithdrawalStatus.Returned, ago: 27 * DAY, note: FAILED, end: 'failed' },
  { person: 1, fen: 41_000, status: WithdrawalStatus.Returned, ago: 18 * DAY, note: BOUNCED, end: 'bounced' },
  { person: 1, fen: 45_000, status: WithdrawalStatus.Paying, ago: 3 * 60, bank: true },
  { person: 1, fen: 30_000, status: WithdrawalStatus.Pending, ago: 95 },
  { person: 5, fen: 680_000, status: WithdrawalStatus.Pending, ago: 300, half: true },
  { person: 5, fen: 520_000, status: WithdrawalStatus.Pending, ago: 40 },
  { person: 5, fen: 200_000, status: WithdrawalStatus.Paid, ago: 6 * DAY },
];

const PAYOUT_COLUMNS = columns(
  `id bigint, user_id bigint, kind text, account_enc bytea, account_hash bytea, account_mask text, name_enc bytea, usable_from timestamptz,
  created_at timestamptz`,
);
const WITHDRAWAL_COLUMNS = columns(
  `id bigint, sn text, dist_id int, user_id bigint, payout_account_id bigint, amount_fen bigint, status smallint, note text, approved_by bigint,
  second_by bigint, channel text, channel_no text, created_at timestamptz, decided_at timestamptz, paid_at timestamptz, bounced_at timestamptz,
  channel_reason text`,
);
const HOLD_COLUMNS = columns(
  `user_id bigint, amount_fen bigint, code text, reason text, ref text, released_at timestamptz, release_note text, created_at timestamptz`,
);

type Kind = 'alipay' | 'bank';

/** A card number of a person in the demo market. */
const cardOf = (p: Person): string => `622202${String(p.id).padStart(13, '0')}`;

/** The payout accounts of those who withdraw: Alipay, and a bank card for those who are paid by list. Returns the id of a person's kind. */
async function storePayoutAccounts(
  market: Market,
  people: readonly Person[],
): Promise<(person: Person, kind: Kind) => number | undefined> {
  const owners: { p: Person; kind: Kind; account: string }[] = [
    ...[0, 1, 5].flatMap((i) => people[i] ?? []).map((p) => ({ p, kind: 'alipay' as const, account: p.phone })),
    ...[1].flatMap((i) => people[i] ?? []).map((p) => ({ p, kind: 'bank' as const, account: cardOf(p) })),
  ];
  const ids = await reserveIds(market.client, 'payout_account', owners.length);
  const rows = owners.map(({ p, kind, account: number }, i) => {
    return [
      ids[i],
      p.id,
      kind,
      encryptedValues.payout(market.keys, p.id, number),
      indexed.payout(market.keys, kind, number),
      maskPayee(number),
      encryptedValues.payoutName(market.keys, p.id, p.generated.realName),
      market.ago(80 * DAY),
      market.ago(81 * DAY),
    ];
  });
  await insertRows(market.client, 'payout_account', PAYOUT_COLUMNS, rows);
  return (person, kind) => ids[owners.findIndex((one) => one.p.id === person.id && one.kind === kind)];
}

/** A payment that is under way in the demo market ends by itself after a while. */
const PAYING_MINUTES = 8 * 60;
/** Time until a payout is returned. */
const RETURNED_AFTER_MS = 2 * DAY * 60_000;

/** A withdrawal's row, its hold's row, and its postings with their times. */
function withdrawalOf(market: Market, w: WithdrawalSeed, person: Person, id: number, payee: number | undefined) {
  const [finance, admin] = [staffId(market, 'caiwu'), staffId(market, 'admin')];
  const sn = `WDEMO${mixSeed(market.seed, id, 95).toString(16).toUpperCase().padStart(8, '0')}`;
  const at = market.ago(w.ago);
  const decided = w.status === WithdrawalStatus.Pending ? null : new Date(at.getTime() + 5_400_000);
  const wasPaid = w.status === WithdrawalStatus.Paid || w.end === 'bounced';
  const wasSent = wasPaid || w.status === WithdrawalStatus.Paying || w.end === 'failed';
  const bounced = w.end === 'bounced' && decided ? new Date(decided.getTime() + RETURNED_AFTER_MS) : null;
  const approved = w.status !== WithdrawalStatus.Pending || w.half ? finance : null;
  const row = [
    id,
    sn,
    person.distId,
    person.id,
    payee,
    w.fen,
    w.status,
    w.note ?? null,
    approved,
    wasPaid && w.fen > 500_000 ? admin : null,
    wasSent ? (w.bank ? 'bank' : 'sandbox') : null,
    wasSent ? `T${sn}` : null,
    at,
    decided,
    wasPaid ? decided : null,
    bounced,
    w.end === 'failed' ? '收款账户不存在' : null,
  ];
  const ended = w.status === WithdrawalStatus.Paying ? null : decided;
  const endNote = ended && (wasPaid ? '已打款' : (w.note ?? ''));
  const hold = [person.id, w.fen, 'withdrawal', `提现 ${sn} 处理中，打款成功或退回后结束`, sn, ended, endNote, at];
  const [available, frozen] = [account.available(person.id), account.frozen(person.id)];
  const same = { ref: `withdrawal:${id}`, fen: w.fen, dist: person.distId };
  const clearing = account.clearing('sandbox', id);
  const dated: Dated[] = [{ at, transfer: { ...same, code: 'withdraw_ask', debit: available, credit: frozen } }];
  if (ended)
    dated.push({
      at: ended,
      transfer: wasPaid
        ? { ...same, code: 'withdraw_paid', debit: frozen, credit: clearing }
        : { ...same, code: 'withdraw_back', debit: frozen, credit: available },
    });
  if (bounced)
    dated.push({ at: bounced, transfer: { ...same, code: 'withdraw_bounce', debit: clearing, credit: available } });
  return { row, hold, dated };
}

/** Withdrawals with their holds, within what their owners had earned by then. Returns the postings with their times. */
export async function storeWithdrawals(market: Market, people: readonly Person[]): Promise<Dated[]> {
  const accounts = await storePayoutAccounts(market, people);
  const ids = await reserveIds(market.client, 'withdrawal', WITHDRAWALS.length);
  const inOrder = WITHDRAWALS.toSorted((a, b) => b.ago - a.ago);
  const rows = inOrder.flatMap((w, i) => {
    const person = people[w.person];
    return person ? [withdrawalOf(market, w, person, ids[i] ?? 0, accounts(person, w.bank ? 'bank' : 'alipay'))] : [];
  });
  await insertRows(
    market.client,
    'withdrawal',
    WITHDRAWAL_COLUMNS,
    rows.map(({ row }) => row),
  );
  await insertRows(
    market.client,
    'hold',
    HOLD_COLUMNS,
    rows.map(({ hold }) => hold),
  );
  await market.client.query(
    `insert into timer (kind, ref, due_at) select 'withdraw.pay', id::text, $1 from withdrawal where id = any($2) and status = ${WithdrawalStatus.Paying} and channel <> 'bank'`,
    [market.ago(-PAYING_MINUTES), ids],
  );
  return rows.flatMap(({ dated }) => dated);
}

/** Stores the actions of finance staff in the audit log. */
export async function storeAudit(market: Market): Promise<void> {
  await market.client.query(
    `insert into audit_log (staff_id, act, target, detail, ip, created_at)
     select approved_by, case when status = ${WithdrawalStatus.Returned} then 'withdrawal.refuse' else 'withdrawal.approve' end, 'withdrawal:' || sn,
       jsonb_build_object('amountFen', amount_fen, 'note', note), '127.0.0.1', coalesce(decided_at, created_at)
     from withdrawal where approved_by is not null order by coalesce(decided_at, created_at)`,
  );
}
