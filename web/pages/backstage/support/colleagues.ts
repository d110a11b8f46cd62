import type { Data } from '#contract/endpoint.ts';
import type { staffImColleagues } from '#contract/im-staff.ts';

export type Colleague = Data<typeof staffImColleagues>['list'][number];

/** The part of the limit that is in use; whoever has none cannot take anything. */
const share = ({ load, maxChats }: Colleague): number => (maxChats > 0 ? load / maxChats : Infinity);

/**
 * Those to whom a conversation can go, the one with most room first and whoever is offline last. `without` are those to
 * whom a transfer would change nothing: the caller and the one who has it.
 */
export function receivers(list: readonly Colleague[], without: readonly (number | null)[]): Colleague[] {
  return list
    .filter(({ staffId }) => !without.includes(staffId))
    .toSorted((a, b) => Number(b.online) - Number(a.online) || share(a) - share(b) || a.load - b.load);
}
