import { expect, test } from 'vitest';
import { packageChanges } from './provider.ts';

const maxOf = (more: object): unknown => {
  const pack = {
    gameId: 1,
    title: '王者荣耀陪玩',
    scope: '语音陪玩',
    price: '20',
    minutes: 60,
    mode: 'together',
    ...more,
  };
  const parsed = packageChanges.safeParse(JSON.stringify([pack]));
  return parsed.success ? parsed.data[0]?.maxNum : parsed.error.issues[0]?.message;
};

test('without a number a package has the most that its unit allows', () => {
  expect([maxOf({ unit: '小时' }), maxOf({ unit: '次' }), maxOf({ unit: '小时', maxNum: 3 })]).toEqual([12, 99, 3]);
  expect(maxOf({ unit: '小时', minNum: 13 })).toBe('最大数量不能小于最小数量');
});
