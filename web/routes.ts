import { layout, type RouteConfig, type RouteConfigEntry, route } from '@react-router/dev/routes';
import { type LayoutName, LOST_STAFF_PAGE, sourceOf, urlMap } from './lib/pages/url-map.ts';

/** The pages of one layout. A pathless route in between keeps the layout when a page fails. */
function framed(name: LayoutName, file: string): RouteConfigEntry[] {
  const pages = urlMap.filter((entry) => entry.layout === name);
  if (pages.length === 0) return [];
  return [
    layout(file, { id: name }, [
      layout(name === 'backstage' ? 'layouts/staff-errors.tsx' : 'layouts/error-layout.tsx', { id: `${name}-errors` }, [
        ...pages.map(({ path, file: pageFile }) => route(path, `../${sourceOf(pageFile)}`, { id: `page:${path}` })),
        ...(name === 'store' ? [route('*', 'pages/error/not-found.tsx')] : []),
        ...(name === 'backstage' ? [route(LOST_STAFF_PAGE, 'pages/error/not-found.tsx', { id: 'staff-lost' })] : []),
      ]),
    ]),
  ];
}

/** The route table, derived from the URL map, so that a URL is written once. */
export default [
  ...framed('index', 'layouts/index.tsx'),
  ...framed('store', 'layouts/store.tsx'),
  ...framed('black', 'layouts/black.tsx'),
  ...framed('single', 'layouts/single.tsx'),
  ...framed('login', 'layouts/login.tsx'),
  ...framed('bare', 'layouts/bare.tsx'),
  ...framed('center', 'layouts/center.tsx'),
  ...framed('centerCode', 'layouts/center-code.tsx'),
  ...framed('shop', 'layouts/shop.tsx'),
  ...framed('chat', 'layouts/chat.tsx'),
  ...framed('backstage', 'layouts/backstage.tsx'),
  ...framed('staff-plain', 'layouts/staff-plain.tsx'),
] satisfies RouteConfig;
