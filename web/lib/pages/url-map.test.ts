import { expect, test } from 'vitest';
import { entryOf, publicPaths, sourceOf, STOREFRONT, urlMap } from './url-map.ts';

test('a path has its entry, with and without a slash at its end', () => {
  for (const path of ['/wares', '/wares/']) expect(entryOf(path)?.path, path).toBe('/wares');
  expect(entryOf('/')?.name).toBe('首页');
  expect([entryOf(''), entryOf('/nowhere'), entryOf('wares')]).toEqual([undefined, undefined, undefined]);
  for (const { path } of urlMap) expect(entryOf(path)?.path).toBe(path);
});

test('a page’s file is in its subject, or among the pages of the web', () => {
  expect([sourceOf('pages/home/home.tsx'), sourceOf('games/web/all-games.tsx')]).toEqual([
    'web/pages/home/home.tsx',
    'subjects/games/web/all-games.tsx',
  ]);
});

test('every entry says who may open it and in which layout', () => {
  expect(entryOf('/black')).toEqual({
    path: '/black',
    name: '黑号查询',
    access: 'public',
    section: 'black',
    layout: 'black',
    file: 'verification/web/black.tsx',
  });
  expect(entryOf('/backstage/brands')).toMatchObject({ access: 'staff', section: 'backstage', layout: 'backstage' });
  expect(entryOf('/center/notices')).toMatchObject({ access: 'login', layout: 'center' });
  expect([...STOREFRONT].sort()).toEqual(['bare', 'black', 'index', 'login', 'single', 'store']);
});

test('the sitemap has public pages of the storefront, none that needs more than its path', () => {
  for (const listed of ['/', '/allgame', '/wares', '/black', '/black/blackList'])
    expect(publicPaths, listed).toContain(listed);
  for (const unlisted of ['/test', '/eventCase/detail', '/jump', '/login', '/center/notices', '/backstage/login'])
    expect(publicPaths, unlisted).not.toContain(unlisted);
  expect(publicPaths.filter((path) => path.includes(':'))).toEqual([]);
  const listed = publicPaths.map((path) => entryOf(path));
  expect(new Set(listed.map((entry) => entry?.access))).toEqual(new Set(['public']));
  for (const entry of listed) {
    expect(STOREFRONT).toContain(entry?.layout);
    expect(['order', 'mobile', 'account', 'backstage']).not.toContain(entry?.section);
  }
});
