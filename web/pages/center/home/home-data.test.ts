import { expect, test } from 'vitest';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { ApiFailure } from '#web/lib/api/api-failure.ts';
import { loadHome } from './home-data.ts';

/** A server that responds to each path with its name, and fails those in `failures`, once or always. */
function fake(failures: Record<string, 'once' | 'always'>) {
  const requests: string[] = [];
  const left = { ...failures };
  const call = <E extends Endpoint>(endpoint: E, _input: Input<E>): Promise<Data<E>> => {
    const name = endpoint.path.split('/').at(-1) ?? '';
    requests.push(name);
    const how = left[name];
    if (how === 'once') delete left[name];
    return how
      ? Promise.reject(new ApiFailure(5000, '系统开小差了', 500))
      : Promise.resolve(name as unknown as Data<E>);
  };
  return { call, requests };
}

test('all three are requested together and returned', async () => {
  const { call, requests } = fake({});
  expect(await loadHome(call)).toEqual({ user: 'userInfo', orders: 'queryOrderList', follows: 'followGoods' });
  expect(requests).toEqual(['userInfo', 'queryOrderList', 'followGoods']);
});

test.each(['queryOrderList', 'followGoods'])('%s failing leaves the user with empty lists', async (name) => {
  const { call, requests } = fake({ [name]: 'always' });
  expect(await loadHome(call)).toEqual({ user: 'userInfo', orders: null, follows: null });
  expect(requests.at(-1)).toBe('userInfo');
  expect(requests).toHaveLength(4);
});

test('a failed request for the user is repeated once, and a second failure is final', async () => {
  expect(await loadHome(fake({ userInfo: 'once' }).call)).toEqual({ user: 'userInfo', orders: null, follows: null });
  expect(await loadHome(fake({ userInfo: 'always' }).call)).toBeNull();
});
