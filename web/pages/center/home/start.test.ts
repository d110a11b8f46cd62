import { expect, test } from 'vitest';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
import { centreStart } from './start.ts';

/** A server that answers each path with its name, and refuses those that `refuse` names, once or always. */
function fake(refuse: Record<string, 'once' | 'always'>) {
  const asked: string[] = [];
  const left = { ...refuse };
  const call = <E extends Endpoint>(endpoint: E, _input: Input<E>): Promise<Data<E>> => {
    const name = endpoint.path.split('/').at(-1) ?? '';
    asked.push(name);
    const how = left[name];
    if (how === 'once') delete left[name];
    return how
      ? Promise.reject(new ApiFailure(5000, '系统开小差了', 500))
      : Promise.resolve(name as unknown as Data<E>);
  };
  return { call, asked };
}

test('all three are asked together and given', async () => {
  const { call, asked } = fake({});
  expect(await centreStart(call)).toEqual({ user: 'userInfo', orders: 'queryOrderList', follows: 'followGoods' });
  expect(asked).toEqual(['userInfo', 'queryOrderList', 'followGoods']);
});

test.each(['queryOrderList', 'followGoods'])('%s failing leaves the user with empty lists', async (name) => {
  const { call, asked } = fake({ [name]: 'always' });
  expect(await centreStart(call)).toEqual({ user: 'userInfo', orders: null, follows: null });
  expect(asked.at(-1)).toBe('userInfo');
  expect(asked).toHaveLength(4);
});

test('the user failing once is tried again, and failing twice ends it', async () => {
  expect(await centreStart(fake({ userInfo: 'once' }).call)).toEqual({ user: 'userInfo', orders: null, follows: null });
  expect(await centreStart(fake({ userInfo: 'always' }).call)).toBeNull();
});
