import { expect, test } from 'vitest';
import { describe } from './failure.ts';

const answer = (status: number, data: object | string) => ({ status, statusText: '', internal: false, data });

test('an error page says first what is wrong in Chinese, whatever went wrong', () => {
  const errors = [
    answer(404, { msg: '' }),
    answer(404, { msg: '没有这笔订单' }),
    answer(403, { msg: '' }),
    answer(500, { msg: '系统开小差了，请稍后再试', requestId: 'a' }),
    answer(503, {}),
    new TypeError('Failed to fetch'),
    new Error('anything'),
  ];
  for (const error of errors) {
    const { heading, ...texts } = describe(error);
    expect(texts[heading]).toMatch(/\p{Script=Han}/u);
  }
});

test('a refusal of the market is told in its own words', () => {
  const { heading, ...texts } = describe(answer(404, { msg: '支付单号不正确' }));
  expect(texts[heading]).toBe('支付单号不正确');
});
