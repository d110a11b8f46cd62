import * as r from '#subjects/disputes/contract/staff-reasons.ts';
import { staffDisputeList } from '#subjects/disputes/contract/staff-disputes.ts';
import type { Binding } from '#server/binding.ts';
import { listDisputes } from './dispute-list.ts';
import { listReasons, reasonHistory, saveReason } from './reasons.ts';

/** The list of disputes for staff, and the reasons that users choose from. */
export function bindDisputesStaff({ server }: Binding): void {
  server.serve(staffDisputeList, (call, input) => listDisputes(call, input));
  server.serve(r.disputeReasons, listReasons);
  server.serve(r.disputeReasonHistory, reasonHistory);
  server.serve(r.saveDisputeReason, saveReason);
}
