import { expect, test } from 'vitest';
import { CoinOfferStatus } from '#contract/rules/statuses.ts';
import { noOffers, OFFER_TABS } from './no-offers.ts';

test('a shop without any offer is led to its first one, whatever the filter', () => {
  for (const [status] of OFFER_TABS)
    expect(noOffers(status, 0, 0)).toMatchObject({ title: '这里还没有报价', next: 'publish' });
});

test('a filter that finds nothing says so, and leads back to the offers that exist', () => {
  expect(noOffers(CoinOfferStatus.OnSale, 0, 3).title).toBe('没有在售的报价');
  expect(noOffers(CoinOfferStatus.OffSale, 0, 3).title).toBe('没有已下架的报价');
  expect(noOffers(CoinOfferStatus.Hidden, 0, 3).title).toBe('没有离线隐藏的报价');
  for (const [status] of OFFER_TABS.filter(([value]) => value !== null)) {
    const found = noOffers(status, 0, 3);
    expect(found.next).toBe('all');
    expect(found.text).toContain('3 份报价');
  }
});

test('a page behind the last one is not an empty shop', () => {
  expect(noOffers(null, 3, 3)).toMatchObject({ title: '这一页没有报价', next: 'first' });
  expect(noOffers(CoinOfferStatus.OnSale, 20, 21)).toMatchObject({
    title: '这一页没有报价',
    text: '共有 20 份报价，都在前面的页里。',
    next: 'first',
  });
});
