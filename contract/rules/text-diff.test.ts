import { expect, test } from 'vitest';
import { diffText } from './text-diff.ts';

const sides = (before: string, after: string) => {
  const parts = diffText(before, after);
  const without = (kind: string) =>
    parts
      .filter((part) => part.kind !== kind)
      .map(({ text }) => text)
      .join('');
  return [without('new'), without('gone')];
};

test('both texts can be reconstructed from the parts', () => {
  const long = '第一条\n第二条：24 小时内\n第三条\n';
  for (const [before, after] of [
    ['', ''],
    ['', '新'],
    ['旧', ''],
    ['卖家 24 小时内发货', '卖家 12 小时内发货'],
    [long, `${long}第四条`],
    [long, '第三条\n第一条\n'],
    ['甲'.repeat(900), '乙'.repeat(900)],
  ] as const)
    expect(sides(before, after)).toEqual([before, after]);
});

test('only a changed number is marked, and unchanged lines stay whole', () => {
  expect(diffText('一\n卖家 24 小时内发货\n三', '一\n卖家 12 小时内发货\n三')).toEqual([
    { kind: 'same', text: '一\n卖家 ' },
    { kind: 'new', text: '1' },
    { kind: 'same', text: '2' },
    { kind: 'gone', text: '4' },
    { kind: 'same', text: ' 小时内发货\n三' },
  ]);
  expect(diffText('按比例退款。', '卖家须在一天内退还。').map(({ kind }) => kind)).toEqual(['gone', 'new']);
  expect(diffText('不变', '不变')).toEqual([{ kind: 'same', text: '不变' }]);
});
