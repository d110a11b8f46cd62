import { Outlet, useOutletContext } from 'react-router';
import { useErrorOfPage } from '#web/lib/loading/failed-hydration.tsx';
import { ErrorPage } from '#web/pages/error/error-page.tsx';

/**
 * Wraps the pages of a layout, so that a failing page leaves header and navigation in place; passes the layout's outlet
 * context through.
 */
export default function ErrorLayout() {
  return <Outlet context={useOutletContext()} />;
}

export function ErrorBoundary() {
  return <ErrorPage error={useErrorOfPage()} />;
}
