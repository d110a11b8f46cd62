import { type ComponentProps, type ComponentType, lazy } from 'react';
import { lazyWithRetry } from '#web/lib/lazy.tsx';
import { LazyPart, lazyWithMarkup } from '#web/lib/lazy-part.tsx';
import type BoostLadderPart from '#subjects/services/web/parts/service/boost-ladder.lazy.tsx';
import type CompanionRowsPart from '#subjects/services/web/parts/companion/companion-rows.lazy.tsx';
import type { ListData } from './list-loader.ts';
import type NoResultsPart from './no-results.lazy.tsx';

type Part = 'SubscribeTo' | 'Wanted';
type Props = Readonly<{ data: ListData; title: string }>;

/** Rendered on the server; in the browser the scripts of both parts load after the list's own, in one file. */
const rendered = import.meta.env.SSR ? await import('./list-wants.lazy.tsx') : undefined;
const partOf = (name: Part): ComponentType<Props> =>
  rendered?.[name] ??
  lazy(() =>
    import('./list-wants.lazy.tsx').then(
      (module) => ({ default: module[name] }),
      // Without them the list itself still works.
      () => ({ default: () => null }),
    ),
  );
const SubscribeButton = partOf('SubscribeTo');
const Wants = partOf('Wanted');

/** The button that subscribes to the current search. */
export const SubscribeTo = (props: Props) => (
  <LazyPart>
    <SubscribeButton {...props} />
  </LazyPart>
);

/** Wants of this game and type, below its list. */
export const Wanted = (props: Props) => (
  <LazyPart>
    <Wants {...props} />
  </LazyPart>
);

/** Ranks to climb: only lists of boosting have them. */
const renderedLadder = import.meta.env.SSR
  ? await import('#subjects/services/web/parts/service/boost-ladder.lazy.tsx')
  : undefined;
const Ladder =
  renderedLadder?.default ?? lazyWithMarkup(() => import('#subjects/services/web/parts/service/boost-ladder.lazy.tsx'));

/** The rank selection, with the packages side by side. */
export const BoostLadder = (props: ComponentProps<typeof BoostLadderPart>) => (
  <LazyPart>
    <Ladder {...props} />
  </LazyPart>
);

/** Companions have rows of their own, whose script no other list needs. */
const renderedRows = import.meta.env.SSR
  ? await import('#subjects/services/web/parts/companion/companion-rows.lazy.tsx')
  : undefined;
const Rows =
  renderedRows?.default ??
  lazyWithMarkup(() => import('#subjects/services/web/parts/companion/companion-rows.lazy.tsx'));

/** The rows of a list of companions. */
export const CompanionRows = (props: ComponentProps<typeof CompanionRowsPart>) => (
  <LazyPart>
    <Rows {...props} />
  </LazyPart>
);

/** A list without results, whose script no other list needs. */
const renderedNone = import.meta.env.SSR ? await import('./no-results.lazy.tsx') : undefined;
const None = renderedNone?.default ?? lazyWithMarkup(() => import('./no-results.lazy.tsx'));

/** Suggestions for a search without results. */
export const NoResults = (props: ComponentProps<typeof NoResultsPart>) => (
  <LazyPart>
    <None {...props} />
  </LazyPart>
);

const loadFilterSheet = () => import('./filter-sheet.lazy.tsx');

/** The phone's filter sheet. */
export const FilterSheet = lazyWithRetry(loadFilterSheet);

/** Loads the sheet's script after the page's own where its buttons are shown, so that it opens at once and without a connection. */
export function loadFilterSheetOnPhones(): void {
  // A press loads it again, and shows what failed.
  if (window.matchMedia('(max-width: 767px)').matches) loadFilterSheet().catch(() => undefined);
}
