import { staffRecycleTaken } from '#subjects/recycling/contract/account-recycling.ts';
import type { Binding } from '#server/binding.ts';
import { platformTook } from './recycled.ts';

/** Accounts that the platform itself has bought. */
export function bindRecyclingStaff({ server }: Binding): void {
  server.serve(staffRecycleTaken, platformTook);
}
