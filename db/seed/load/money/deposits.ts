import { DepositEntryKind } from '#subjects/deposits/rules/entry-kind.ts';
import { feeOf } from '#contract/rules/fee.ts';
import { lossPenalty } from '#subjects/disputes/rules/ruling.ts';
import { account } from '#subjects/ledger/server/rules.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { PricedTrade } from '../trades/priced-trade.ts';
import type { Market } from '../market.ts';
import { type Dated, storeDatedPayments } from './money.ts';
import type { Person } from '../people/people.ts';

const DAY = 1440;
const RELEASE_REQUESTED_AGO = 2 * DAY;
const RELEASE_DAYS = 7;
const RELEASED_FEN = 50_000;
/** The login with a deposit that is being released. */
const RELEASING = 4;
// The setting 'deposit' of db/migrations/0001_baseline.sql.
const CANCEL_BP = 200;
const CANCEL_BOUNDS = { minFen: 500, maxFen: 20_000 };
const LOSS = { lossBp: 500, lossMinFen: 1_000, lossMaxFen: 50_000 };

interface EntrySeed {
  person: number;
  role: 'seller';
  kind: typeof DepositEntryKind.Paid | typeof DepositEntryKind.Penalty;
  fen: number;
  reason: string;
  ago: number;
  /** A penalty's rule, the order it was for, and the buyer where the rule gives it to the buyer. */
  penalty?: { rule: string; orderId: number; buyerId: number | null };
}

/**
 * The demo seller has a seller's deposit that penalties have taken from, the merchant has the higher level, and a third login has one on its
 * way back. Deposits of other roles are in role-deposits.ts.
 */
const PAID: readonly EntrySeed[] = [
  { person: 1, role: 'seller', kind: DepositEntryKind.Paid, fen: 65_000, reason: '缴纳诚信卖家保证金', ago: 70 * DAY },
  {
    person: RELEASING,
    role: 'seller',
    kind: DepositEntryKind.Paid,
    fen: RELEASED_FEN,
    reason: '缴纳诚信卖家保证金',
    ago: 60 * DAY,
  },
  { person: 5, role: 'seller', kind: DepositEntryKind.Paid, fen: 200_000, reason: '缴纳优选卖家保证金', ago: 50 * DAY },
];

/** Upper limit of the penalties taken from a deposit so far, in fen. */
const PENALTY_FEN = 25_000;

/** Returns the amount that a person's seller deposit covers in any case, in fen. */
export const sellerDeposit = ({ index }: Pick<Person, 'index'>): number =>
  PAID.filter((e) => e.person === index && e.role === 'seller').reduce((sum, e) => sum + e.fen - PENALTY_FEN, 0);

/** Penalties for the demo seller's cancelled order and lost case, by the rules of the market, at the moments when these ended. */
function penaltiesOf(live: readonly PricedTrade[]): EntrySeed[] {
  return live.flatMap(({ trade, orderId, sn, terms }): EntrySeed[] => {
    const same = { person: 1, role: 'seller' as const, kind: DepositEntryKind.Penalty, ago: trade.endedAgo - 1 };
    if (trade.seller.index !== 1) return [];
    if (trade.end === 'sellerCancelled')
      return [
        {
          ...same,
          fen: feeOf(terms.goodsFen, CANCEL_BP, CANCEL_BOUNDS),
          reason: `卖家取消已付款订单 ${sn}`,
          penalty: { rule: '8.1', orderId, buyerId: terms.buyerId },
        },
      ];
    if (trade.end !== 'staffClosed') return [];
    const fen = lossPenalty(terms.goodsFen, terms.goodsFen, LOSS);
    return [{ ...same, fen, reason: `订单 ${sn} 申诉败诉`, penalty: { rule: '8.3', orderId, buyerId: null } }];
  });
}

const ENTRY_COLUMNS = columns(
  `id bigint, user_id bigint, role text, kind smallint, amount_fen bigint, ref text, reason text, rule_no text, order_id bigint, created_at timestamptz`,
);
const PENALTY_COLUMNS = columns(
  `id bigint, user_id bigint, role text, rule_no text, rule_version int, amount_fen bigint, reason text, order_id bigint, to_user_id bigint,
  created_at timestamptz`,
);

/** A movement's rows and its posting with its moment. */
function entryOf(market: Market, e: EntrySeed, person: Person, id: number, penaltyId: number) {
  const at = market.ago(e.ago);
  const deposit = account.deposit(person.id);
  const same = { fen: e.fen, dist: person.distId };
  const orderId = e.penalty?.orderId ?? null;
  const ref = e.penalty ? `penalty:${penaltyId}` : `seed:${id}`;
  const entry = [id, person.id, e.role, e.kind, e.fen, ref, e.reason, e.penalty?.rule ?? null, orderId, at];
  if (!e.penalty) {
    const debit = account.available(person.id);
    const transfer = { ...same, code: 'deposit_in' as const, ref: `deposit:${id}`, debit, credit: deposit };
    return { entry, penalty: [], dated: { at, transfer } };
  }
  const { rule, buyerId } = e.penalty;
  const transfer = {
    ...same,
    code: buyerId === null ? ('deposit_penalty' as const) : ('deposit_compensation' as const),
    ref: `deposit_penalty:${penaltyId}`,
    debit: deposit,
    credit: buyerId === null ? account.platform('guarantee_fund', penaltyId) : account.available(buyerId),
    order: e.penalty.orderId,
  };
  const penalty = [[penaltyId, person.id, e.role, rule, 1, e.fen, e.reason, orderId, buyerId, at]];
  return { entry, penalty, dated: { at, transfer } };
}

/** Deposits, paid from what the sellers had earned by then. Returns the postings with their times. */
export async function storeDeposits(
  market: Market,
  people: readonly Person[],
  live: readonly PricedTrade[],
): Promise<Dated[]> {
  const seeds = [...PAID, ...penaltiesOf(live)];
  const ids = await reserveIds(market.client, 'deposit_entry', seeds.length);
  const penaltyIds = await reserveIds(market.client, 'deposit_penalty', seeds.length);
  const rows = seeds.flatMap((e, i) => {
    const person = people[e.person];
    return person ? [entryOf(market, e, person, ids[i] ?? 0, penaltyIds[i] ?? 0)] : [];
  });
  await insertRows(
    market.client,
    'deposit_entry',
    ENTRY_COLUMNS,
    rows.map(({ entry }) => entry),
  );
  await insertRows(
    market.client,
    'deposit_penalty',
    PENALTY_COLUMNS,
    rows.flatMap(({ penalty }) => penalty),
  );
  const seller = people[RELEASING];
  if (!seller) return rows.map(({ dated }) => dated);
  await storeRelease(market, seller);
  const { topups } = await storeDatedPayments(market, [
    { userId: seller.id, distId: seller.distId, orderId: null, fen: RELEASED_FEN, ago: 61 * DAY },
  ]);
  return [...topups, ...rows.map(({ dated }) => dated)];
}

async function storeRelease(market: Market, seller: Person): Promise<void> {
  const requestedAt = market.ago(RELEASE_REQUESTED_AGO);
  const due = new Date(requestedAt.getTime() + RELEASE_DAYS * 86_400_000);
  const { rows } = await market.client.query<{ id: string }>(
    `insert into deposit_release (sn, dist_id, user_id, role, amount_fen, release_at, created_at) values ('DDEMO0001', $1, $2, 'seller', $3, $4, $5) returning id::text`,
    [seller.distId, seller.id, RELEASED_FEN, due, requestedAt],
  );
  await market.client.query(`insert into timer (kind, ref, due_at) values ('deposit.release', $1, $2)`, [
    rows[0]?.id,
    due,
  ]);
}
