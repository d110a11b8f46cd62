import { expect, it } from 'vitest';
import type { Context } from '#server/context.ts';
import { RECYCLED_ACCOUNT } from '../../rules/order-types.ts';
import { tradedFacts } from './traded-facts.ts';

const snapshot = (change: object = {}) => ({
  title: '',
  gameCode: '',
  gameName: '',
  areaName: '安卓QQ',
  serverName: '1 区',
  attrs: {},
  picture: null,
  fieldsVersion: 1,
  facts: [
    { label: '段位', value: '钻石' },
    { label: '段位', value: '钻石一' },
  ],
  ...change,
});
const factsOf = (change: object, goodsNum = 1) =>
  tradedFacts({} as Context, { typeId: 1, gameId: null, snapshot: snapshot(change) }, goodsNum);

it('goods are described by their region, a quantity of several, and their own facts', () => {
  expect(factsOf({}, 3).slice(0, 3)).toEqual([
    { label: '区服', value: '安卓QQ / 1 区' },
    { label: '数量', value: '3 件' },
    { label: '段位', value: '钻石' },
  ]);
  expect(factsOf({ areaName: '', serverName: '', facts: [] })).toEqual([]);
});

it('a recycled account names each fact once', () => {
  expect(factsOf({}).filter(({ label }) => label === '段位')).toHaveLength(2);
  expect(factsOf({ handoverType: RECYCLED_ACCOUNT }).filter(({ label }) => label === '段位')).toEqual([
    { label: '段位', value: '钻石' },
  ]);
});
