import { sql } from 'kysely';
import type { Trx } from '#server/db/client.ts';
import { account } from './rules.ts';

export { account, codesOf, type PostingCode, postings, refundCodes, refundSum, type Transfer } from './rules.ts';
export { brokenInvariants } from './invariants.ts';
export { accountName } from './staff/books.ts';
export { forgetBreaches, proveAll } from './proof.ts';
export { type BooksCheck, startNightly } from './nightly.ts';
export {
  collectDebts,
  type Debt,
  type DebtCode,
  debtOfOrder,
  loadDebts,
  requireNoDebt,
  openDebtFen,
  owedTo,
  recordDebt,
} from './debts.ts';
export { authoriseFund, type FundReason } from './fund.ts';
export { balanceDays, moneyLine, siteDays } from './money-line.ts';
export { matureShares, type Maturing, maturingByOrder, loadMaturing } from './maturing.ts';
export { endFreeze, freezeUserMoney } from './freeze.ts';
export { endHold, openHold, resumeHold, setHoldShort, stopHold } from './hold-changes.ts';
export {
  depositsPaid,
  type HoldStage,
  type OpenHold,
  openHolds,
  releaseHold,
  releaseStages,
  saleHeld,
  loadStages,
} from './holds.ts';
export { lockedBalance, post } from './post.ts';
export { movements, statement, type StatementFilter, turnover30 } from './statement.ts';
export { openDebtSql } from './open-debt.ts';
export { trialBalance } from './trial-balance.ts';

export interface Balances {
  availableFen: number;
  frozenFen: number;
  depositFen: number;
}

/** A user's three balances in fen; 0 where nothing was ever posted. */
export async function loadBalances(db: Trx, userId: number): Promise<Balances> {
  const keys = [account.available(userId), account.frozen(userId), account.deposit(userId)];
  const { rows } = await sql<{
    key: string;
    balance: number;
  }>`select key, balance from ledger_account where key = any(${keys})`.execute(db);
  const of = (key: string | undefined): number => rows.find((r) => r.key === key)?.balance ?? 0;
  return { availableFen: of(keys[0]), frozenFen: of(keys[1]), depositFen: of(keys[2]) };
}
