import {
  staffBoostingDeposits,
  staffBoostingInfo,
  staffBoostingList,
} from '#subjects/services/contract/staff-boosting.ts';
import { staffServiceList, staffServiceWeeks } from '#subjects/services/contract/staff-services.ts';
import type { Binding } from '#server/binding.ts';
import { decideDeposits } from './boosting-deposits.ts';
import { boostingOrder, boostingOrders } from './boosting-orders.ts';
import { listServices, serviceWeeks } from './service-list.ts';

/** Calls of staff on services, on boosting orders and on their deposits. */
export function bindServicesStaff({ server }: Binding): void {
  server.serve(staffServiceList, (call, input) => listServices(call, input));
  server.serve(staffServiceWeeks, serviceWeeks);
  server.serve(staffBoostingList, boostingOrders);
  server.serve(staffBoostingInfo, boostingOrder);
  server.serve(staffBoostingDeposits, decideDeposits);
}
