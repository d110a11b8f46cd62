/** Starts the bare React Router page in the browser, over what the server rendered. */
import { createElement as h, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { routes } from './bare-routes.ts';

const { __staticRouterHydrationData: hydrationData } = window as unknown as {
  __staticRouterHydrationData: NonNullable<Parameters<typeof createBrowserRouter>[1]>['hydrationData'];
};
const router = createBrowserRouter(routes, hydrationData ? { hydrationData } : {});
hydrateRoot(document.querySelector('#root') ?? document.body, h(StrictMode, null, h(RouterProvider, { router })));
