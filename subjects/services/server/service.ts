export type { ServiceMode } from './queries.ts';
export { decidedDeposits, type DepositDecision } from './boosting/deposits.ts';
export { listServices } from './staff/service-list.ts';
