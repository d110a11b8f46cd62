import * as c from '#subjects/promotions/contract/staff-campaigns.ts';
import type { Binding } from '#server/binding.ts';
import { createSettlement, loadDays, listSettlements, pay, reject } from './commission.ts';

/** Commission of distributors. */
export function bindCommission({ server }: Binding): void {
  server.serve(c.commissionDays, loadDays);
  server.serve(c.settlementList, (call, input) => listSettlements(call, input));
  server.serve(c.requestSettlement, createSettlement);
  server.serve(c.paySettlement, pay);
  server.serve(c.rejectSettlement, reject);
}
