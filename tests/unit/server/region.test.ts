import { expect, test } from 'vitest';
import { regionOf, originLabel } from '#server/kernel/region.ts';

test.each([
  ['114.114.114.114', '江苏南京'],
  ['::ffff:114.114.114.114', '江苏南京'],
  ['202.96.209.5', '上海'],
  ['240e:3b7:3200::1', '广东深圳'],
  ['1.1.1.1', '澳大利亚'],
  ['127.0.0.1', ''],
  ['192.168.1.9', ''],
  ['203.0.113.9', ''],
  ['no address', ''],
])('%s is in %s', (address, region) => expect(regionOf(address)).toBe(region));

test('is returned with the masked address', () => {
  expect(originLabel('114.114.114.114')).toBe('江苏南京 114.114.*.*');
  expect(originLabel('10.0.0.7')).toBe('本机或局域网');
});
