export { decidedDeposits, type DepositDecision, DEPOSITS, lockedDeposits, storeDeposits } from './boosting/deposits.ts';
