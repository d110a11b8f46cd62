import { staffBoostingDeposits } from '#subjects/services/contract/staff-boosting.ts';
import { staffServiceList, staffServiceWeeks } from '#subjects/services/contract/staff-services.ts';
import type { Binding } from '#server/binding.ts';
import { decideDeposits } from './boosting-deposits.ts';
import { listServices, serviceWeeks } from './service-list.ts';

/** Calls of staff on services and on the deposits of boosting orders. */
export function bindServicesStaff({ server }: Binding): void {
  server.serve(staffServiceList, (call, input) => listServices(call, input));
  server.serve(staffServiceWeeks, serviceWeeks);
  server.serve(staffBoostingDeposits, decideDeposits);
}
