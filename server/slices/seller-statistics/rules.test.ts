import { describe, expect, it } from 'vitest';
import { adviceFor, conversionOf, type ListingFigures, mondays } from './rules.ts';

const fine: ListingFigures = {
  priceFen: 10_000,
  band: { low: 8000, typical: 10_000, high: 12_000 },
  views: 60,
  follows: 2,
  orders: 1,
  waitingQuestions: 0,
  days: 10,
  usualDays: 8,
  pictures: 5,
  descriptionChars: 200,
  bargainOpen: true,
};

describe('advice', () => {
  it.each<[string, Partial<ListingFigures>, RegExp[]]>([
    ['says nothing of a listing that does well', {}, []],
    ['says nothing of a new listing that few have seen', { days: 2, views: 0, pictures: 0 }, []],
    ['names the usual price of one that asks too much', { priceFen: 12_001 }, [/80\.00 到 120\.00.*100\.00/]],
    ['does not judge a price without sales to compare with', { priceFen: 99_999, band: null }, []],
    ['suggests a lower price after many looks', { priceFen: 11_000, orders: 0 }, [/60 次浏览没有成交.*100\.00/]],
    ['suggests to bargain where the price is right', { orders: 0, bargainOpen: false }, [/接受议价/]],
    ['asks for pictures of one that few look at', { views: 3, pictures: 1 }, [/3 次浏览.*1 张/]],
    ['asks for a description otherwise', { views: 3, descriptionChars: 5 }, [/描述太短/]],
    ['compares with the usual days', { days: 24 }, [/24 天.*8 天/]],
    [
      'puts questions first and says two things at most',
      { waitingQuestions: 1, priceFen: 20_000, days: 90 },
      [/1 个提问/, /高于/],
    ],
  ])('%s', (_, change, patterns) => {
    const advice = adviceFor({ ...fine, ...change });
    expect(advice).toHaveLength(patterns.length);
    for (const [i, pattern] of patterns.entries()) expect(advice[i]).toMatch(pattern);
  });
});

it('conversion is orders per hundred views', () => {
  expect([conversionOf(0, 0), conversionOf(1, 3), conversionOf(2, 1000)]).toEqual([null, 33.3, 0.2]);
});

it('weeks begin on Mondays, the current one last', () => {
  expect(mondays('2026-11-25', 3)).toEqual(['2026-11-09', '2026-11-16', '2026-11-23']);
  expect(mondays('2026-11-23', 1)).toEqual(['2026-11-23']);
  expect(mondays('2026-11-22', 1)).toEqual(['2026-11-16']);
});
