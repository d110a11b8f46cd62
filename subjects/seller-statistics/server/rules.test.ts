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
    ['accepts the highest of the usual prices', { priceFen: 12_000 }, []],
    ['accepts the lowest of the usual prices', { priceFen: 8000 }, []],
    ['suggests a higher price below the usual ones', { priceFen: 7999 }, [/低 20\.01 元.*80\.00 到 120\.00.*提价/]],
    ['does not judge a price without sales to compare with', { priceFen: 99_999, band: null }, []],
    ['suggests a lower price after many looks', { priceFen: 11_000, orders: 0 }, [/60 次浏览没有成交.*100\.00/]],
    ['suggests it from 50 looks on', { priceFen: 10_001, orders: 0, views: 50 }, [/50 次浏览没有成交.*降价/]],
    ['does not below 50 looks', { priceFen: 11_000, orders: 0, views: 49, bargainOpen: false }, []],
    ['nor after an order', { priceFen: 11_000, bargainOpen: false }, []],
    ['nor at the usual price', { orders: 0 }, []],
    ['nor of a listing of six days', { priceFen: 11_000, orders: 0, days: 6, bargainOpen: false }, []],
    ['does of one of seven days', { priceFen: 11_000, orders: 0, days: 7 }, [/降价/]],
    [
      'suggests to bargain from 50 looks on',
      { orders: 0, views: 50, bargainOpen: false },
      [/50 次浏览没有成交，.*接受议价/],
    ],
    [
      'suggests to bargain without a price to compare with',
      { orders: 0, band: null, bargainOpen: false },
      [/接受议价/],
    ],
    ['suggests to bargain where the price is right', { orders: 0, bargainOpen: false }, [/接受议价/]],
    ['asks for pictures of one that few look at', { views: 3, pictures: 1 }, [/3 次浏览.*1 张/]],
    ['asks for a description otherwise', { views: 3, descriptionChars: 5 }, [/描述太短/]],
    ['asks for neither from ten looks on', { views: 10, pictures: 1, descriptionChars: 5 }, []],
    ['asks for neither in the first week', { views: 3, days: 6, pictures: 1, descriptionChars: 5 }, []],
    ['is content with three pictures and twenty characters', { views: 3, pictures: 3, descriptionChars: 20 }, []],
    ['asks for more than nineteen characters', { views: 9, pictures: 3, descriptionChars: 19 }, [/9 次浏览，描述太短/]],
    ['accepts a week more than twice the usual days', { days: 23 }, []],
    ['does not compare without usual days', { days: 90, usualDays: null }, []],
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
