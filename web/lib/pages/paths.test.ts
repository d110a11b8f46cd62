import { expect, test } from 'vitest';
import { goodsPath, loginPath, safeReturn } from './paths.ts';

test('a return URL stays on the site', () => {
  for (const url of [
    '/',
    '/center',
    '/wares?gt=1&gid=3',
    '/wares/WZ0000001/order',
    '/goods/WZ0000001/order?goodsNum=2&start=2026-11-28T20:00',
    '/center/myself/myselfInfo?tabIndex=1',
  ])
    expect(safeReturn(url), url).toBe(url);
});

test('no return URL leads to another site or to a script', () => {
  const foreign = [
    null,
    '',
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/%09/evil.example',
    '/\t/evil.example',
    '/\n//evil.example',
    '/a@evil.example',
    '/..;/x#y',
    ' /center',
    'center',
    '//evil.example?x',
    '//evil.example:80/',
    'data:text/html,x',
    '/\\evil.example?a=1',
  ];
  for (const url of foreign) expect(safeReturn(url, '/home'), JSON.stringify(url)).toBe('/home');
});

test('the path of a URL with an invalid query is kept', () => {
  expect(safeReturn('/wares?keyWord=王者荣耀')).toBe('/wares');
  expect(safeReturn('/wares?keyWord=%E7%8E%8B')).toBe('/wares');
});

test('the log-in returns to the requested page, and to home without a parameter', () => {
  expect(loginPath(new URL('http://x.example/center?a=1'))).toBe('/login?returnUrl=%2Fcenter%3Fa%3D1');
  expect(loginPath(new URL('http://x.example/'))).toBe('/login');
  expect(loginPath(new URL('http://x.example/login?returnUrl=%2Fcenter'))).toBe('/login');
});

test('a listing of coin has a page of its kind', () => {
  expect([1, 2].map((type) => goodsPath('YS1', type))).toEqual(['/detail/YS1', '/JDetail/YS1']);
});
