import { describe, expect, it } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { checkAttrs, choosable } from './attrs.ts';

const field = (kind: Field['kind'], more: Partial<Field> = {}): Field =>
  ({
    key: 'f',
    label: '段位',
    kind,
    required: false,
    options: [
      { v: 1, label: '钻石' },
      { v: 'b', label: '王者' },
    ],
    ...more,
  }) as Field;
/** The stored value of one field, or the message about it. */
function checked(kind: Field['kind'], value: unknown, more: Partial<Field> = {}, held?: unknown): unknown {
  const { values, errors } = checkAttrs([field(kind, more)], { f: value }, { f: held });
  return errors.get('f') ?? values.f;
}

describe('a value of a field', () => {
  it.each([
    ['single', '1', 1],
    ['single', 1, 1],
    ['single', 'b', 'b'],
    ['single', '2', '段位的选项不存在，请重新选择'],
    ['single', true, '段位的选项不存在，请重新选择'],
    ['single', {}, undefined],
    ['single', [1], '段位的选项不存在，请重新选择'],
    ['multi', ['1', 1, 'b'], [1, 'b']],
    ['multi', [1, 9], '段位的选项不存在，请重新选择'],
    ['multi', '1', '段位格式不正确'],
    ['multi', [], undefined],
    ['bool', '1', true],
    ['bool', 1, true],
    ['bool', 'true', true],
    ['bool', true, true],
    ['bool', '0', false],
    ['bool', 0, false],
    ['bool', 'false', false],
    ['bool', false, false],
    ['bool', 'yes', '段位请选择是或否'],
    ['bool', 2, '段位请选择是或否'],
    ['item_count', { 1: '3', b: 0 }, { 1: 3 }],
    ['item_count', { 1: '', b: null }, undefined],
    ['item_count', { 9: '3' }, '段位的选项不存在，请重新选择'],
    ['item_count', { 1: 'x' }, '段位应为整数'],
    ['item_count', [1], '段位格式不正确'],
    ['item_count', '1', '段位格式不正确'],
    ['text', '  一个\u0065\u0301字 ', '一个é字'],
    ['text', '   ', undefined],
    ['text', 'a\u0007b', '段位含有不支持的字符'],
    ['text', 'a\u007fb', '段位含有不支持的字符'],
    ['text', 'a\ud800', '段位含有不支持的字符'],
    ['text', '长'.repeat(100), '长'.repeat(100)],
    ['text', '长'.repeat(101), '段位不能超过 100 个字'],
    ['text', 5, '段位应为文字'],
  ] as const)('has the kind %s: %o becomes %o', (kind, value, expected) => {
    expect(checked(kind, value)).toEqual(expected);
  });

  it.each([
    ['-3', -3],
    [' 42 ', 42],
    ['123456789012', 123_456_789_012],
    ['1234567890123', '段位应为整数'],
    ['1.5', '段位应为整数'],
    ['x', '段位应为整数'],
    [{ a: 1 }, '段位应为整数'],
    [true, '段位应为整数'],
    [[5], '段位应为整数'],
  ])('is normalized for a range: %o becomes %o', (value, expected) => {
    expect(checked('range', value)).toBe(expected);
  });

  it('lies within the inclusive bounds of a range field', () => {
    const bounds = { min: 1, max: 60, unit: '级' };
    expect([0, 1, 60, 61].map((n) => checked('range', n, bounds))).toEqual([
      '段位不能小于 1级',
      1,
      60,
      '段位不能大于 60级',
    ]);
    expect(checked('range', 0, { min: 1 })).toBe('段位不能小于 1');
  });

  it.each([
    ['range', '请填写段位'],
    ['text', '请填写段位'],
    ['single', '请选择段位'],
    ['bool', '请选择段位'],
  ] as const)('is missing when it is required and empty: %s', (kind, message) => {
    for (const empty of [undefined, null, '', [], {}]) expect(checked(kind, empty, { required: true })).toBe(message);
  });

  it('is missing when a required field only looks filled in', () => {
    expect(checked('text', '  ', { required: true })).toBe('请填写段位');
    expect(checked('item_count', { 1: 0 }, { required: true })).toBe('请选择段位');
  });
});

describe('a retired option', () => {
  const options = [
    { v: 1, label: '钻石' },
    { v: 2, label: '王者', retired: true },
  ];

  it.each([
    ['single', 2, 2, 2],
    ['single', 2, '2', 2],
    ['single', 2, 1, '段位的选项不存在，请重新选择'],
    ['single', 2, undefined, '段位的选项不存在，请重新选择'],
    ['multi', [2], ['2', 1], [2]],
    ['multi', [2], [1], '段位的选项不存在，请重新选择'],
    ['item_count', { 2: 4 }, { 2: 1 }, { 2: 4 }],
    ['item_count', { 2: 4 }, { 1: 1 }, '段位的选项不存在，请重新选择'],
    ['item_count', { 2: 4 }, null, '段位的选项不存在，请重新选择'],
  ] as const)('is kept where the listing holds it: kind %s, value %o, result %o', (kind, value, held, expected) => {
    expect(checked(kind, value, { options }, held)).toEqual(expected);
  });

  it('is offered only where it is held; a field without any stays the same', () => {
    const plain = field('single');
    expect(choosable(plain, 1)).toBe(plain);
    const number = field('range', { options: undefined });
    expect(choosable(number, 1)).toBe(number);
    expect(checked('single', 1, { options: undefined })).toBe('段位的选项不存在，请重新选择');
    expect(choosable(field('single', { options }), 1).options).toEqual([options[0]]);
    expect(choosable(field('single', { options }), 2).options).toEqual(options);
  });
});

it('a field that the form does not know is named, unless it is empty', () => {
  const { values, errors } = checkAttrs([field('single')], { f: 1, other: 'x', gone: '', left: [] });
  expect([values, [...errors]]).toEqual([{ f: 1 }, [['other', '该游戏的发布表单已更新，请刷新页面后重试']]]);
});

it('a failure of the program is not a message about a field', () => {
  const ownKeys = (): never => {
    throw new TypeError('broken');
  };
  expect(() => checkAttrs([field('single')], { f: new Proxy({}, { ownKeys }) })).toThrow('broken');
});
