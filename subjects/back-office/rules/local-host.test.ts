import { expect, test } from 'vitest';
import { isLocalHost } from './local-host.ts';

test.each([
  ['localhost', true],
  ['backstage.localhost', true],
  ['printer.local', true],
  ['site.test', true],
  ['localhost.example.com', false],
  ['mylocalhost', false],
  ['local.cn', false],
  ['www.example.com', false],
  ['', false],
])('%s is only of this machine or network: %o', (host, is) => {
  expect(isLocalHost(host)).toBe(is);
});
