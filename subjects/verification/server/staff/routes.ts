import * as c from '#subjects/verification/contract/staff-trust.ts';
import type { Binding } from '#server/binding.ts';
import * as trust from './trust.ts';

/** Reports of bad accounts and of fake customer service, appeals, and our official contact numbers. */
export function bindTrustStaff({ server }: Binding): void {
  server.serve(c.staffBlackList, trust.listReports);
  server.serve(c.decideBlack, trust.decideReport);
  server.serve(c.addBlack, trust.addEntry);
  server.serve(c.staffAppealList, trust.listAppeals);
  server.serve(c.decideAppeal, trust.settleAppeal);
  server.serve(c.staffFakeList, trust.listFakes);
  server.serve(c.decideFake, trust.decideFake);
  server.serve(c.staffNumberList, trust.listNumbers);
  server.serve(c.addNumber, trust.addNumber);
  server.serve(c.endNumber, trust.endNumber);
}
