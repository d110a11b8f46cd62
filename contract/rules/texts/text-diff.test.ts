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

/** The parts in short: -removed, +added, =kept. */
const short = (before: string, after: string): string[] =>
  diffText(before, after).map(({ kind, text }) => ({ same: '=', gone: '-', new: '+' })[kind] + text);

test.each([
  ['', '', []],
  ['', '新', ['+新']],
  ['旧', '', ['-旧']],
  ['一\n', '一\n', ['=一\n']],
  // Whole lines: the longest common sequence of them, in their order.
  ['一\n二\n三\n', '一\n三\n', ['=一\n', '-二\n', '=三\n']],
  ['一\n三\n', '一\n二\n三\n', ['=一\n', '+二\n', '=三\n']],
  ['一\n二\n', '三\n一\n二\n', ['+三\n', '=一\n二\n']],
  ['一\n二\n', '一\n二\n三\n', ['=一\n二\n', '+三\n']],
  ['三\n一\n二\n', '一\n二\n', ['-三\n', '=一\n二\n']],
  ['一\n二\n三\n四\n', '三\n四\n一\n', ['-一\n二\n', '=三\n四\n', '+一\n']],
  ['甲\n乙\n丙\n丁\n', '甲\n丙\n乙\n丁\n', ['=甲\n', '-乙\n', '=丙\n', '+乙\n', '=丁\n']],
  // The end of a line counts: the last line of one text is another one when more follows.
  ['一', '一\n二', ['=一', '+\n二']],
  ['一\n二\n', '一\n', ['=一\n', '-二\n']],
  // Lines that replace each other are compared together.
  ['甲乙\n丙丁\n', '甲戊\n丙己\n', ['=甲', '-乙', '+戊', '=\n丙', '-丁', '+己', '=\n']],
  ['丙\n丁\n丁\n', '乙\n甲\n丙\n', ['+乙\n甲\n', '=丙\n', '-丁\n丁\n']],
  // Empty lines are lines.
  ['一\n\n二\n', '一\n二\n', ['=一\n', '-\n', '=二\n']],
])('from %j to %j: %j', (before, after, parts) => {
  expect(short(before, after)).toEqual(parts);
});

test.each([
  // Half of the shorter line is shared: letters are marked. Below that whole lines.
  ['甲乙丙丁', '甲乙戊己', ['=甲乙', '-丙丁', '+戊己']],
  ['甲乙丙丁', '甲戊己庚', ['-甲乙丙丁', '+甲戊己庚']],
  ['甲', '甲乙丙丁戊己', ['=甲', '+乙丙丁戊己']],
  ['甲乙丙丁戊己', '甲', ['=甲', '-乙丙丁戊己']],
  ['甲乙', '乙丙', ['-甲', '=乙', '+丙']],
  // A letter of two code units is one letter.
  ['价格😀元', '价格😁元', ['=价格', '-😀', '+😁', '=元']],
])('from the line %j to %j: %j', (before, after, parts) => {
  expect(short(before, after)).toEqual(parts);
});

test('only lines that replace each other are compared by letter', () => {
  expect(short('甲乙丙\n同\n', '同\n甲乙丁\n')).toEqual(['-甲乙丙\n', '=同\n', '+甲乙丁\n']);
});

test('up to 400,000 comparisons of letters a change is found; beyond them the whole block has changed', () => {
  const letters = (count: number) => '甲'.repeat(count);
  expect(short(`${letters(499)}乙`, `${letters(799)}丙`).length).toBeGreaterThan(2);
  expect(short(`${letters(500)}乙`, `${letters(799)}丙`)).toEqual([`-${letters(500)}乙`, `+${letters(799)}丙`]);
  // Few of one text and many of the other are no great number.
  expect(short('甲', letters(5000))).toEqual(['=甲', `+${letters(4999)}`]);
});

test('a text of very many lines that changed is removed and added as a whole', () => {
  const [before, after] = ['甲\n'.repeat(633), '乙\n'.repeat(633)];
  expect(short(before, after)).toEqual([`-${before}`, `+${after}`]);
});
