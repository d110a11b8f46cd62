import { expect, test } from 'vitest';
import { BOOSTING, COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import { chosenTags, parseList } from '#web/lib/lists/list-query.ts';
import { noResults } from './no-results.ts';

function found(query: string, wider: Parameters<typeof noResults>[0]['wider'] = []) {
  const state = parseList(new URLSearchParams(query));
  const tags = chosenTags(state, [], { seller: '小北商行' });
  return noResults({ state, tags, wider, clearTo: '/wares', wantTo: '/want' });
}

test('a list without conditions leads to other games and to a want', () => {
  expect(found('gt=1')).toMatchObject({ title: '这里还没有在售商品', links: [{ to: '/allgame' }, { to: '/want' }] });
});

test('a seller who has nothing is named as the reason, with the type that was looked for', () => {
  expect(found('gt=0&sellerId=10003').title).toBe('这位卖家没有在售商品');
  expect(found('gt=1&sellerId=10003').title).toBe('这位卖家没有在售账号');
  expect(found('gt=1&sellerId=10003&keyWord=a').title).toBe('没有找到相关商品');
});

test('a keyword alone is changed, several conditions are reduced', () => {
  expect(found('gt=1&keyWord=a').text).toContain('换个关键词');
  expect(found('gt=1&keyWord=a&min=5').text).toContain('减少条件');
});

test('only of several conditions one can be removed', () => {
  const wider = [
    { label: '5 元以上', without: '/wares?keyWord=a', total: 3, totalCapped: false },
  ] as unknown as Parameters<typeof noResults>[0]['wider'];
  expect(found('gt=1&keyWord=a&min=5', wider).links[0]).toMatchObject({ label: '去掉 5 元以上，有 3 件' });
  expect(found('gt=1&min=5', wider).links[0]?.label).toBe('清空条件');
});

test('a service has open orders or other hours in place of a want', () => {
  const boosting = found(`gt=${BOOSTING}&gid=2`);
  expect(boosting.links.map(({ to }) => to)).toEqual(['/allgame', '/center/boosting/requests?new=1&gid=2']);
  const companions = found(`gt=${COMPANION_PLAY}&gid=2`);
  expect(companions.links.map(({ to }) => to)).toEqual(['/allgame']);
  for (const { text } of [boosting, companions, found(`gt=${BOOSTING}&gid=2&keyWord=a`)])
    expect(text).not.toContain('求购');
  expect(found(`gt=${BOOSTING}&gid=2&keyWord=a`).links.map(({ label }) => label)).toEqual([
    '清空条件',
    '发单，等打手来接',
  ]);
});
