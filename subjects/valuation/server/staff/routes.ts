import { staffValuations } from '#subjects/valuation/contract/staff-valuations.ts';
import type { Binding } from '#server/binding.ts';
import { modelFigures } from './figures.ts';

/** The figures of the price models. */
export function bindValuationStaff({ server }: Binding): void {
  server.serve(staffValuations, modelFigures);
}
