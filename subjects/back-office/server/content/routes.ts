import * as c from '#subjects/content/contract/staff-content.ts';
import type { Binding } from '#server/binding.ts';
import { caseForStaff, listCases, publishCase, saveCase } from './content.ts';

/** Content administration: cases, adverts, requests for co-operation. */
export function bindContentAdmin({ server }: Binding): void {
  server.serve(c.staffCaseList, listCases);
  server.serve(c.staffCaseInfo, (call, { id }) => caseForStaff(call, id));
  server.serve(c.saveCase, saveCase);
  server.serve(c.publishCase, publishCase);
}
