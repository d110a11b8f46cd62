import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { layoutData } from '#web/lib/pages/layout-data.ts';
import { SiteLayout } from '#web/parts/site/site-layout.tsx';

export function loader(args: LoaderFunctionArgs) {
  return layoutData(args);
}

/** The storefront's frame. */
export default function StoreLayout() {
  return (
    <SiteLayout data={useLoaderData<typeof loader>()}>
      <Outlet />
    </SiteLayout>
  );
}
