import type { Data } from '#contract/endpoint.ts';
import type { staffImColleagues } from '#subjects/chat/contract/im-staff.ts';

export type Colleague = Data<typeof staffImColleagues>['list'][number];

/** The used share of the limit; infinite for staff whose limit is 0, who cannot take conversations. */
const share = ({ load, maxChats }: Colleague): number => (maxChats > 0 ? load / maxChats : Infinity);

/**
 * The staff to whom a conversation can be transferred: the least loaded first, those who are offline last. `without` excludes those for whom the
 * transfer would change nothing: the caller and the current owner of the conversation.
 */
export function receivers(list: readonly Colleague[], without: readonly (number | null)[]): Colleague[] {
  return list
    .filter(({ staffId }) => !without.includes(staffId))
    .toSorted((a, b) => Number(b.online) - Number(a.online) || share(a) - share(b) || a.load - b.load);
}
