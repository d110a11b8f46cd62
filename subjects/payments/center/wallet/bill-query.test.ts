import { expect, test } from 'vitest';
import { ACCOUNTS, billPath, DIRECTIONS, isFiltered, lastDays, parseBill } from './bill-query.ts';

const parsed = (query: string) => parseBill(new URLSearchParams(query));

test('every choice is restored from its URL, and the default has no parameters', () => {
  for (const { account } of ACCOUNTS) {
    for (const { direction } of DIRECTIONS) {
      const state = {
        account,
        direction,
        kind: 'sale',
        minTime: '2026-11-01',
        maxTime: '2026-11-22',
        orderSn: '26',
      } as const;
      const url = new URL(billPath('/center/mywallets/list', state), 'http://host');
      expect(parseBill(url.searchParams)).toEqual(state);
    }
  }
  expect(billPath('/a', parsed(''))).toBe('/a');
  expect(isFiltered(parsed('account=frozen'))).toBe(false);
});

test('unknown values count as absent', () => {
  expect(parsed('account=secret&direction=up&kind=x&minTime=2026-02-30&maxTime=y&orderSn=<a>')).toEqual(parsed(''));
  expect(parsed('minTime=2026-02-02&maxTime=2026-02-01')).toEqual(parsed(''));
});

test('a range of days includes today', () => {
  expect(lastDays(parsed(''), 7, '2026-11-22')).toMatchObject({ minTime: '2026-11-16', maxTime: '2026-11-22' });
});
