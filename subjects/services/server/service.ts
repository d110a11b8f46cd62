export { modeName } from './terms.ts';
export type { ServiceMode } from './queries.ts';
export { decidedDeposits, type DepositDecision, DEPOSITS, lockedDeposits, storeDeposits } from './boosting/deposits.ts';
