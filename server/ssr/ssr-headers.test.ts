import { expect, test } from 'vitest';
import { securityHeaders } from './ssr-headers.ts';

const cached = (path: string, isVisitor: boolean): string | undefined =>
  securityHeaders({ nonce: 'n', url: new URL(path, 'https://market.example'), dev: false, isVisitor })['cache-control'];

test.each(['/', '/wares?gt=1', '/detail/YS2450833'])('a visitor goes back to %s without a new load', (path) => {
  expect(cached(path, true)).toBe('private, no-cache');
});

test.each(['/login', '/register', '/wares.data?gt=1'])('%s is never kept', (path) => {
  expect(cached(path, true)).toBe('private, no-store');
});

test.each(['/', '/center', '/wares/YS2450833/order'])('%s of somebody signed in is never kept', (path) => {
  expect(cached(path, false)).toBe('private, no-store');
});
