import {
  BOARD,
  CLASSIC,
  DASHBOARD,
  DIRECTORY,
  EXCHANGE,
  MAGAZINE,
  SEARCH_FIRST,
  type HomeLayout,
} from '#subjects/distributors/rules/home-layout.ts';
import type { ReactNode } from 'react';
import { type MetaFunction, useLoaderData, useRouteLoaderData } from 'react-router';
import type { LayoutData } from '#web/lib/pages/layout-data.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { HomeWidget } from '#subjects/chat/web/parts/chat-widget/home-widget.tsx';
import { Board, DashboardLayout, Magazine } from './arrangements-more.tsx';
import { Classic, Directory, Exchange, SearchFirst } from './arrangements.tsx';
import { Banners } from './hero.tsx';
import type { HomeData, loader } from './loader.ts';

export { loader } from './loader.ts';

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, { canonicalPath: '/', jsonLd: args.loaderData?.jsonLd });

/** The home page's layouts by the number */
const ARRANGEMENTS: Readonly<Record<number, (props: { data: HomeData }) => ReactNode>> = {
  [CLASSIC]: Classic,
  [SEARCH_FIRST]: SearchFirst,
  [EXCHANGE]: Exchange,
  [DIRECTORY]: Directory,
  [MAGAZINE]: Magazine,
  [DASHBOARD]: DashboardLayout,
  [BOARD]: Board,
} satisfies Record<HomeLayout, (props: { data: HomeData }) => ReactNode>;
/** The layouts whose hero is replaced by the banners; in the others they are above everything. */
const WITH_HERO: readonly number[] = [CLASSIC, DIRECTORY, DASHBOARD];

/** The home page: ways to trade, games, sales and prices, all from the market's own figures; a section without data is left out. */
export default function Home() {
  const data = useLoaderData<typeof loader>();
  const user = useRouteLoaderData<LayoutData>('index')?.user;
  const Arrangement = ARRANGEMENTS[data.layout] ?? Classic;
  return (
    <>
      {data.banners.length > 0 && !WITH_HERO.includes(data.layout) && (
        <div className="mt-4 [&>.hero]:rounded-card">
          <Banners banners={data.banners} />
        </div>
      )}
      <Arrangement data={data} />
      {user && data.layout !== DASHBOARD && <HomeWidget unread={user.unread} />}
    </>
  );
}
