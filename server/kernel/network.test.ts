import { expect, test } from 'vitest';
import { isLocalAddress, networkOf } from './network.ts';

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:ffff::1', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['', ''],
  ['unix:', 'unix:'],
])('%s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test.each([
  ['127.0.0.1', true],
  ['::ffff:10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['::1', true],
  ['fd00::1', true],
  ['198.51.100.7', false],
  ['2001:db8::1', false],
  ['unix:', true],
])('%s is local: %s', (address, isLocal) => {
  expect(isLocalAddress(address)).toBe(isLocal);
});
