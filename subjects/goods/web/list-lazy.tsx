import type { ComponentProps } from 'react';
import { hydratedLater, LateBoundary, Nothing } from '#web/lib/loading/hydrated-later.tsx';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';

const wants = () => import('./list-wants.lazy.tsx');
/** Without these two the list itself still works. */
const SubscribeButton = hydratedLater(wants, 'SubscribeTo', Nothing);
const Wants = hydratedLater(wants, 'Wanted', Nothing);

/** The button that subscribes to the current search. */
export const SubscribeTo = (props: ComponentProps<typeof SubscribeButton>) => (
  <LateBoundary>
    <SubscribeButton {...props} />
  </LateBoundary>
);

/** Wants of this game and type, below its list. */
export const Wanted = (props: ComponentProps<typeof Wants>) => (
  <LateBoundary>
    <Wants {...props} />
  </LateBoundary>
);

/** Ranks to climb: only lists of boosting have them. */
const Ladder = hydratedLater(() => import('#subjects/services/web/parts/service/boost-ladder.lazy.tsx'));

/** The rank selection, with the packages side by side. */
export const BoostLadder = (props: ComponentProps<typeof Ladder>) => (
  <LateBoundary>
    <Ladder {...props} />
  </LateBoundary>
);

/** Companions have separate rows, whose script no other list needs. */
const Rows = hydratedLater(() => import('#subjects/services/web/parts/companion/companion-rows.lazy.tsx'));

/** The rows of a list of companions. */
export const CompanionRows = (props: ComponentProps<typeof Rows>) => (
  <LateBoundary>
    <Rows {...props} />
  </LateBoundary>
);

/** A list without results, whose script no other list needs. */
const None = hydratedLater(() => import('./no-results.lazy.tsx'));

/** Suggestions for a search without results. */
export const NoResults = (props: ComponentProps<typeof None>) => (
  <LateBoundary>
    <None {...props} />
  </LateBoundary>
);

const loadFilterSheet = () => import('./filter-sheet.lazy.tsx');

/** The phone's filter sheet. */
export const FilterSheet = lazyWithRetry(loadFilterSheet);

/** Loads the sheet's script after the page's own where its buttons are shown, so that it opens at once and without a connection. */
export function loadFilterSheetOnPhones(): void {
  // A click loads it again, and shows what failed.
  if (window.matchMedia('(max-width: 767px)').matches) loadFilterSheet().catch(() => undefined);
}
