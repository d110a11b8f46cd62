import * as c from '#subjects/recycling/contract/account-recycling.ts';
import type { Binding } from '#server/binding.ts';
import { inspectAccount, inspection, listForStaff } from '../accounts/inspect.ts';
import { platformTook } from './recycled.ts';

/** Inspections of accounts that recyclers bought, and accounts that the platform itself has bought. */
export function bindRecyclingStaff({ server }: Binding): void {
  server.serve(c.staffRecycleList, listForStaff);
  server.serve(c.staffRecycleInfo, inspection);
  server.serve(c.staffRecycleInspect, inspectAccount);
  server.serve(c.staffRecycleTaken, platformTook);
}
