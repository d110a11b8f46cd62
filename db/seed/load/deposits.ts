import { account } from '#server/slices/ledger/rules.ts';
import { columns, insertRows, reserveIds } from './bulk.ts';
import type { Market } from './market.ts';
import type { Dated } from './money.ts';
import type { Person } from './people.ts';

const DAY = 1440;

interface EntrySeed {
  person: number;
  role: 'seller' | 'shop';
  kind: 1 | 2;
  fen: number;
  reason: string;
  rule?: string;
  ago: number;
}

/**
 * The demo seller has a seller's deposit that a penalty has taken from, and a shop's one on its way back; the merchant has the higher
 * level. The others have none, so their page is empty.
 */
const ENTRIES: readonly EntrySeed[] = [
  { person: 1, role: 'seller', kind: 1, fen: 54_000, reason: '缴纳诚信卖家保证金', ago: 70 * DAY },
  { person: 1, role: 'seller', kind: 2, fen: 1_500, reason: '卖家取消已付款订单', rule: '8.1', ago: 33 * DAY },
  { person: 1, role: 'seller', kind: 2, fen: 1_800, reason: '申诉败诉', rule: '8.3', ago: 12 * DAY },
  { person: 1, role: 'shop', kind: 1, fen: 100_000, reason: '缴纳标准店铺保证金', ago: 60 * DAY },
  { person: 5, role: 'seller', kind: 1, fen: 200_000, reason: '缴纳优选卖家保证金', ago: 50 * DAY },
];
const RELEASE_ASKED_AGO = 2 * DAY;
const RELEASE_DAYS = 7;

const ENTRY_COLUMNS = columns(
  `id bigint, user_id bigint, role text, kind smallint, amount_fen bigint, ref text, reason text, rule_no text, created_at timestamptz`,
);
const PENALTY_COLUMNS = columns(
  `id bigint, user_id bigint, role text, rule_no text, rule_version int, amount_fen bigint, reason text, created_at timestamptz`,
);

/** Deposits, paid from what the sellers had earned by then. Answers the postings with their moments. */
export async function storeDeposits(market: Market, people: readonly Person[]): Promise<Dated[]> {
  const ids = await reserveIds(market.client, 'deposit_entry', ENTRIES.length);
  const penaltyIds = await reserveIds(market.client, 'deposit_penalty', ENTRIES.length);
  const entries: unknown[][] = [];
  const penalties: unknown[][] = [];
  const dated: Dated[] = [];
  for (const [i, e] of ENTRIES.entries()) {
    const person = people[e.person];
    const [id, penaltyId] = [ids[i] ?? 0, penaltyIds[i] ?? 0];
    if (!person) continue;
    const at = market.ago(e.ago);
    const ref = e.kind === 1 ? `seed:${id}` : `penalty:${penaltyId}`;
    entries.push([id, person.id, e.role, e.kind, e.fen, ref, e.reason, e.rule ?? null, at]);
    const same = { fen: e.fen, dist: person.distId };
    const deposit = account.deposit(person.id);
    if (e.kind === 1) {
      const available = account.available(person.id);
      dated.push({
        at,
        transfer: { ...same, code: 'deposit_in', ref: `deposit:${id}`, debit: available, credit: deposit },
      });
    } else {
      penalties.push([penaltyId, person.id, e.role, e.rule, 1, e.fen, e.reason, at]);
      const fund = account.platform('guarantee_fund', penaltyId);
      dated.push({
        at,
        transfer: {
          ...same,
          code: 'deposit_penalty',
          ref: `deposit_penalty:${penaltyId}`,
          debit: deposit,
          credit: fund,
        },
      });
    }
  }
  await insertRows(market.client, 'deposit_entry', ENTRY_COLUMNS, entries);
  await insertRows(market.client, 'deposit_penalty', PENALTY_COLUMNS, penalties);
  const seller = people[1];
  if (seller) await storeRelease(market, seller);
  return dated;
}

async function storeRelease(market: Market, seller: Person): Promise<void> {
  const asked = market.ago(RELEASE_ASKED_AGO);
  const due = new Date(asked.getTime() + RELEASE_DAYS * 86_400_000);
  const { rows } = await market.client.query<{ id: string }>(
    `insert into deposit_release (sn, dist_id, user_id, role, amount_fen, release_at, created_at) values ('DDEMO0001', $1, $2, 'shop', 100000, $3, $4) returning id::text`,
    [seller.distId, seller.id, due, asked],
  );
  await market.client.query(`insert into timer (kind, ref, due_at) values ('deposit.release', $1, $2)`, [
    rows[0]?.id,
    due,
  ]);
}
