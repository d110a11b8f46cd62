import { BlockList, isIPv4 } from 'node:net';
import { expect, test } from 'vitest';
import { networkError } from './networks.ts';

const ADDRESSES = [
  '203.0.113.7',
  '0.0.0.0',
  '255.255.255.255',
  '249.199.99.9',
  '203.0.113.0/24',
  '203.0.0.0/16',
  '203.0.113.7/32',
  '203.0.113.7/30',
  '2001:db8::1',
  '2001:DB8::/48',
  '2001:db8::/32',
  '2001:db8::1/128',
  '2001:db8::1/120',
  '2001:db8::1/119',
  '2001:db8::1/99',
  '::',
  '::ffff:203.0.113.7',
];

test.each(ADDRESSES)('%s is an address or network', (input) => {
  expect(networkError(input)).toBeUndefined();
});

test.each([
  '256.0.0.1',
  '1.2.3',
  '1.2.3.4.5',
  '1.2.3.4.',
  '1.2.3.4/33',
  '1.2.3.4/',
  'x1.2.3.4',
  '1.2.3.4x',
  '1.2.3.300',
  '01.2.3.4',
  ' 1.2.3.4',
  '1.2.3.4/024/1',
  'x/1.2.3.4',
  '1.2.3.4/1.2.3.4/24',
])('%s is no address', (input) => {
  expect(networkError(input)).toMatch(/^请填写 IP/);
});

test.each([
  '2001:db8::/129',
  '2001:db8::/1280',
  'x2001:db8::',
  '2001:db8::g',
  'abcd',
  '2001:db8::/',
  `1:${'0'.repeat(38)}`,
  ':',
  '::::',
  'abc:',
  '1:2:3:4:5:6:7:8:9',
  '1::2::3',
  '[2001:db8::1]',
  'fe80::1%eth0',
])('%s is no address of version 6', (input) => {
  expect(networkError(input)).toMatch(/^请填写 IP/);
});

test('a network that holds too many addresses is rejected with the shortest prefix', () => {
  expect(networkError('203.0.0.0/15')).toBe('网段太大，至少写到 /16');
  expect(networkError('0.0.0.0/0')).toBe('网段太大，至少写到 /16');
  expect(networkError('2001:db8::/31')).toBe('网段太大，至少写到 /32');
  expect(networkError('2001:db8::/9')).toBe('网段太大，至少写到 /32');
});

test.each([...ADDRESSES, '1.2.3.4', '::1'])('the list of the server reads %s', (input) => {
  const [address = '', prefix] = input.split('/');
  const list = new BlockList();
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  expect(() => {
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }).not.toThrow();
});
