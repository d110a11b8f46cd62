import { afterEach, expect, test, vi } from 'vitest';
import { isDemoHost } from './demo-host.ts';

afterEach(() => void vi.unstubAllGlobals());

const isDemoAt = (hostname: string): boolean => {
  vi.stubGlobal('window', { location: { hostname } });
  return isDemoHost();
};

test('only localhost and the names below it are the demo market', () => {
  for (const hostname of ['localhost', 'moon.localhost']) expect(isDemoAt(hostname), hostname).toBe(true);
  for (const hostname of ['youshi.example', 'localhost.example', 'notlocalhost', '127.0.0.1', ''])
    expect(isDemoAt(hostname), hostname).toBe(false);
});
