import { type LoaderFunctionArgs, Outlet, useLoaderData } from 'react-router';
import { layoutData } from '#web/lib/layout-data.ts';
import { SiteLayout } from '#web/parts/site-layout.tsx';

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
