import { Outlet, useOutletContext, useRouteError } from 'react-router';
import { ErrorPage } from '#web/pages/error/error-page.tsx';

/**
 * Stands between a frame and its pages, so that a failing page leaves header and navigation in place; what the frame hands
 * to its pages goes through. */
export default function ErrorLayout() {
  return <Outlet context={useOutletContext()} />;
}

export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}
