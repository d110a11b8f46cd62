import { SEARCH_FIRST } from '#subjects/distributors/rules/home-layout.ts';
import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { layoutData, indexLayout } from '#web/lib/pages/layout-data.ts';
import { SiteLayout } from '#web/parts/site/site-layout.tsx';

export async function loader(args: LoaderFunctionArgs) {
  return { ...(await layoutData(args)), layout: indexLayout(args) };
}

/** The home page's layout in the distributor's arrangement; in the second one the page itself contains the search. */
export default function IndexLayout() {
  const data = useLoaderData<typeof loader>();
  return (
    <SiteLayout data={data} search={data.layout === SEARCH_FIRST ? 'page' : 'header'}>
      <Outlet />
    </SiteLayout>
  );
}
