import { expect, test } from 'vitest';
import { statisticsFor, statisticsOf } from './statistics.ts';

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
  'what is no id is as if it were not there: %s',
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
