import { describe, expect, test } from 'vitest';
import { jumpPath, externalLinkOf } from './external-link.ts';

const HOST = 'market.example:3000';

describe('external links', () => {
  test.each([
    ['https://example.com/a?b=1', 'https://example.com/a?b=1', 'example.com'],
    ['HTTP://EXAMPLE.com', 'http://example.com/', 'example.com'],
    // Look-alike letters are displayed as punycode.
    ['https://аррӏе.com/', 'https://xn--80ak6aa92e.com/', 'xn--80ak6aa92e.com'],
    ['http://market.example/other-port', 'http://market.example/other-port', 'market.example'],
    ['http://market.example:3000//evil.example', 'http://market.example:3000//evil.example', HOST],
    ['http://market.example:3000\\@evil.example', 'http://market.example:3000/@evil.example', HOST],
  ])('%s leads outside', (text, url, host) => {
    const link = externalLinkOf(text, HOST);
    if (link?.kind === 'inside') expect(link.path.startsWith('//')).toBe(false);
    else expect(link).toEqual({ kind: 'outside', url, host });
  });

  test('a URL of this host becomes its path, and never the warning page itself', () => {
    expect(externalLinkOf('http://market.example:3000/news?id=1#x', HOST)).toEqual({
      kind: 'inside',
      path: '/news?id=1',
    });
    expect(
      externalLinkOf('http://market.example:3000/jump?url=http%3A%2F%2Fmarket.example%3A3000%2Fjump', HOST)?.kind,
    ).toBe('outside');
    expect(externalLinkOf('http://market.example:3000/jump/?url=x', HOST)?.kind).toBe('outside');
    expect(externalLinkOf('http://market.example:3000/help/jump', HOST)?.kind).toBe('inside');
  });

  test.each([
    ['http://market.example:3000/', '/'],
    ['http://market.example:3000', '/'],
    ['HTTPS://market.example:3000/wares?gt=1&gid=2', '/wares?gt=1&gid=2'],
    ['http://market.example:3000/a//b?u=//evil.example', '/a//b?u=//evil.example'],
  ])('%s is the page %s of this site', (text, path) => {
    expect(externalLinkOf(text, HOST)).toEqual({ kind: 'inside', path });
  });

  test('a host whose path would read as another host stays outside', () => {
    expect(externalLinkOf('http://market.example:3000//evil.example', HOST)).toEqual({
      kind: 'outside',
      url: 'http://market.example:3000//evil.example',
      host: HOST,
    });
  });

  test('the longest URL that is accepted has 2000 characters', () => {
    const start = 'https://example.com/';
    const ofLength = (length: number) => start + 'a'.repeat(length - start.length);
    expect(externalLinkOf(ofLength(2000), HOST)).toEqual({ kind: 'outside', url: ofLength(2000), host: 'example.com' });
    expect(externalLinkOf(ofLength(2001), HOST)).toBeNull();
  });

  test.each([
    null,
    '',
    'https://:word@example.com/',
    'https://name@example.com/',
    'xhttps://example.com/',
    'https:/example.com/',
    'https:example.com',
    'https://exa mple.com/',
    'javascript:alert(1)',
    'JavaScript:alert(1)//http://x',
    'data:text/html,<b>',
    'ftp://example.com',
    '//example.com',
    '/news',
    'https://',
    'http://name:word@example.com/',
    'https://example.com@evil.example/',
    ' https://example.com',
    `https://example.com/${'a'.repeat(2000)}`,
  ])('%s is rejected', (text) => {
    expect(externalLinkOf(text, HOST)).toBeNull();
  });
});

test('jumpPath sends other sites through the warning page', () => {
  expect(jumpPath('/wares')).toBe('/wares');
  expect(jumpPath('https://a.example/?b=1')).toBe('/jump?url=https%3A%2F%2Fa.example%2F%3Fb%3D1');
  expect(jumpPath('HTTP://a.example')).toBe('/jump?url=HTTP%3A%2F%2Fa.example');
  // A page of this site may carry a URL.
  expect(jumpPath('/help?from=https://a.example')).toBe('/help?from=https://a.example');
  expect(jumpPath('')).toBe('');
});
