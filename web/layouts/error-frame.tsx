import { Outlet, useRouteError } from 'react-router';
import { ErrorPage } from '#web/pages/error/error-page.tsx';

/** Stands between a frame and its pages, so that a failing page leaves header and navigation in place. */
export default function ErrorFrame() {
  return <Outlet />;
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}
