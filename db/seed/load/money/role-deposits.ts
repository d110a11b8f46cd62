import { type DepositRole, depositRoleNames } from '#subjects/deposits/server/service.ts';
import { account } from '#subjects/ledger/server/rules.ts';
import { columns, insertRows, reserveIds } from '../bulk.ts';
import type { Market } from '../market.ts';
import { type Dated, storeDatedPayments } from './money.ts';
import type { Person } from '../people/people.ts';

const DAY = 1440;
/** Before the first approval of a provider. */
const PAID_AGO = 63 * DAY;

const ENTRY_COLUMNS = columns(
  'id bigint, user_id bigint, role text, kind smallint, amount_fen bigint, ref text, reason text, created_at timestamptz',
);

interface RoleDeposit {
  person: Person;
  role: DepositRole;
  fen: number;
}

const RECYCLER_DEPOSIT_FEN = 1_000_000;

/** Deposits of recyclers. Returns the postings with their times. */
export const storeRecyclerDeposits = (market: Market, recyclers: readonly Person[]): Promise<Dated[]> =>
  storeRoleDeposits(
    market,
    recyclers.map((person) => ({ person, role: 'recycler', fen: RECYCLER_DEPOSIT_FEN })),
  );

/** Deposits of providers in their roles, each from a top-up of the same amount. Returns the postings with their times. */
export async function storeRoleDeposits(market: Market, deposits: readonly RoleDeposit[]): Promise<Dated[]> {
  const at = market.ago(PAID_AGO - 10);
  const { topups } = await storeDatedPayments(
    market,
    deposits.map(({ person, fen }) => ({
      userId: person.id,
      distId: person.distId,
      orderId: null,
      fen,
      ago: PAID_AGO,
    })),
  );
  const ids = await reserveIds(market.client, 'deposit_entry', deposits.length);
  await insertRows(
    market.client,
    'deposit_entry',
    ENTRY_COLUMNS,
    deposits.map(({ person, role, fen }, i) => [
      ids[i] ?? 0,
      person.id,
      role,
      1,
      fen,
      `seed:${ids[i] ?? 0}`,
      `缴纳${depositRoleNames[role]}保证金`,
      at,
    ]),
  );
  return [
    ...topups,
    ...deposits.map(
      ({ person, fen }, i): Dated => ({
        at,
        transfer: {
          code: 'deposit_in',
          ref: `deposit:${ids[i] ?? 0}`,
          debit: account.available(person.id),
          credit: account.deposit(person.id),
          fen,
          dist: person.distId,
        },
      }),
    ),
  ];
}
