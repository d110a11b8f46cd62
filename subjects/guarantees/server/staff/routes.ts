import { staffClaimReceipt, staffClaimReceiptStrike } from '#subjects/guarantees/contract/staff-claims.ts';
import type { Binding } from '#server/binding.ts';
import { enterReceipt, strikeOut } from './claim-details.ts';

/** Receipts that staff enter in a claim. */
export function bindGuaranteesStaff({ server }: Binding): void {
  server.serve(staffClaimReceipt, enterReceipt);
  server.serve(staffClaimReceiptStrike, strikeOut);
}
