import { expect, test } from 'vitest';
import { isStrictPage, statisticsFor, statisticsOf } from './statistics.ts';

test('valid ids produce verifications, scripts and the hosts that these need', () => {
  const statistics = statisticsOf({
    baiduSl: 'codeva-AbC123',
    baiduTj: 'a'.repeat(32),
    fiveoneTj: 'JABC123',
    sllSl: 'f00dface',
  });
  expect(statistics.proofs.map((p) => p.content)).toEqual(['codeva-AbC123', 'f00dface']);
  expect(statistics.scripts.map((s) => s.src)).toEqual([
    `https://hm.baidu.com/hm.js?${'a'.repeat(32)}`,
    'https://sdk.51.la/js-sdk-pro.min.js',
  ]);
  expect(statistics.hosts).toContain('https://hm.baidu.com');
});

test.each(["');alert(1)//", '<script>', 'https://evil.example/x.js', ' ', 'A'.repeat(33)])(
  'a text that is no id is ignored: %s',
  (text) => {
    const statistics = statisticsOf({ baiduSl: `<${text}`, baiduTj: text, fiveoneTj: `${text};`, sllSl: `${text}"` });
    expect(statistics).toEqual({ proofs: [], scripts: [], hosts: [] });
  },
);

test('section 12: a logged-in user gets no script of others, so no dialog for a password shares a document with one', () => {
  const conf = { baiduTj: 'a'.repeat(32), fiveoneTj: 'JkLmN123' };
  expect(statisticsFor(conf, false).scripts).toHaveLength(2);
  expect(statisticsFor(conf, true)).toEqual({ proofs: [], scripts: [], hosts: [] });
});

const BAIDU = '0123456789abcdef0123456789abcdef';
const NONE = { proofs: [], scripts: [], hosts: [] };
const CONF = { baiduSl: 'codeva-abc', sllSl: '360_proof', baiduTj: BAIDU, fiveoneTj: 'LA51id' };

test('each valid id adds its element, its script and the hosts of the script', () => {
  expect(statisticsOf(CONF)).toEqual({
    proofs: [
      { name: 'baidu-site-verification', content: 'codeva-abc' },
      { name: '360-site-verification', content: '360_proof' },
    ],
    scripts: [
      { service: 'baidu', id: BAIDU, src: `https://hm.baidu.com/hm.js?${BAIDU}` },
      { service: 'la51', id: 'LA51id', src: 'https://sdk.51.la/js-sdk-pro.min.js' },
    ],
    hosts: ['https://hm.baidu.com', 'https://sdk.51.la', 'https://collect-v6.51.la'],
  });
  expect(statisticsOf({})).toEqual(NONE);
});

test.each([
  ['baiduSl', 'a'.repeat(5)],
  ['baiduSl', 'a'.repeat(81)],
  ['baiduSl', 'codeva"abc'],
  ['sllSl', ' 360_proof'],
  ['sllSl', '360_proof '],
  ['baiduTj', BAIDU.slice(1)],
  ['baiduTj', `${BAIDU}0`],
  ['baiduTj', BAIDU.toUpperCase()],
  ['fiveoneTj', 'LA51i'],
  ['fiveoneTj', 'L'.repeat(41)],
  ['fiveoneTj', 'LA51-id'],
])('a malformed %s is ignored: %s', (key, value) => {
  expect(statisticsOf({ [key]: value })).toEqual(NONE);
});

test.each([
  ['baiduSl', 'a'.repeat(6)],
  ['baiduSl', 'a'.repeat(80)],
  ['fiveoneTj', 'L'.repeat(6)],
  ['fiveoneTj', 'L'.repeat(40)],
])('the shortest and the longest %s are valid', (key, value) => {
  expect(statisticsOf({ [key]: value })).not.toEqual(NONE);
});

test('nothing is loaded for a user who is logged in', () => {
  expect(statisticsFor(CONF, true)).toEqual(NONE);
  expect(statisticsFor(CONF, false)).toEqual(statisticsOf(CONF));
});

test.each([
  '/center',
  '/center/mywallets',
  '/chatSystem',
  '/login',
  '/login/wechat',
  '/register',
  '/forgetPassword',
  '/backstage.data',
  '/fastGold/1/order',
  '/goods/YS1/order',
  '/wares/YS1/order',
  '/wares/YS1/pay',
  '/wares/YS1/success',
])('%s is strict', (path) => {
  expect(isStrictPage(path)).toBe(true);
});

test.each([
  '/',
  '/centers',
  '/wares',
  '/wares/viewed',
  '/wares/a/b/order',
  '/detail/YS1',
  '/x/login',
  '/loginx',
  '/x/wares/YS1/pay',
])('%s is not', (path) => {
  expect(isStrictPage(path)).toBe(false);
});
