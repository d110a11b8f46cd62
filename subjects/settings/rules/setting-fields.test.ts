/** How the fields of a setting are typed, stored and shown. */
import { describe, expect, test } from 'vitest';
import { type FieldType, readField, type SettingField, typedValue, unitOf } from './setting-fields.ts';

const field = (type: FieldType, more: Partial<SettingField> = {}): SettingField => ({
  path: 'x',
  label: '数值',
  type,
  ...more,
});

test.each<[FieldType, string]>([
  ['yuan', '元'],
  ['rate', '%'],
  ['percent', '%'],
  ['count', ''],
  ['minutes', '分钟'],
  ['wholeMinutes', '分钟'],
  ['secondHours', '小时'],
  ['hours', '小时'],
  ['days', '天'],
  ['stars', '星'],
  ['minutesList', '分钟'],
  ['daysList', '天'],
  ['yuanList', '元'],
  ['idList', ''],
  ['text', ''],
  ['flag', ''],
])('the unit of %s is “%s”', (type, unit) => {
  expect(unitOf(type)).toBe(unit);
});

test.each<[FieldType, unknown, string]>([
  ['yuan', 50_000, '500'],
  ['yuan', 50_050, '500.5'],
  ['rate', 1050, '10.5'],
  ['minutes', 7200, '120'],
  ['secondHours', 7200, '2'],
  ['stars', 4.5, '4.5'],
  ['count', 10, '10'],
  ['count', 0, '0'],
  ['count', '10', ''],
  ['minutesList', [60, 1800], '1、30'],
  ['yuanList', [100, 500], '100、500'],
  ['daysList', [], ''],
  ['daysList', 3, ''],
  ['lines', ['标识', '优先'], '标识\n优先'],
  ['lines', '标识', ''],
  ['flag', true, '1'],
  ['flag', false, '0'],
  ['flag', 'true', '0'],
  ['text', '标准', '标准'],
  ['text', 5, ''],
  ['choice', 'balance', 'balance'],
  ['flag', null, ''],
  ['flag', undefined, ''],
])('%s: the stored value %j is shown as “%s”', (type, value, shown) => {
  expect(typedValue({ type }, value)).toBe(shown);
});

/** Rows of a field, what is typed, and the stored value or the problem. */
type Row = readonly [SettingField, string, unknown];
const taken = (rows: readonly Row[]) =>
  test.each(rows)('%o typed as %j', (one, typed, value) => {
    expect(readField(one, typed)).toEqual({ value });
  });
const rejected = (rows: readonly Row[]) =>
  test.each(rows)('%o does not take %j', (one, typed, problem) => {
    expect(readField(one, typed)).toEqual({ problem });
  });

describe('numbers', () => {
  taken([
    [field('yuan'), '12.34', 1234],
    [field('yuan'), '0.3', 30],
    [field('rate'), ' １０．５ ', 1050],
    [field('hours'), ' 7 ', 7],
    [field('stars', { max: 5 }), '4.5', 4.5],
    [field('count'), '9999999999', 9_999_999_999],
  ]);
  rejected([
    [field('count'), '12345678901', '数值应为整数'],
    [field('count'), '1.5', '数值应为整数'],
    [field('count'), 'x1', '数值应为整数'],
    [field('count'), '1x', '数值应为整数'],
    [field('count'), '-1', '数值应为整数'],
    [field('yuan'), '1.234', '数值应为数字，最多 2 位小数'],
    [field('yuan'), 'x1', '数值应为数字，最多 2 位小数'],
    [field('yuan'), '1.2x', '数值应为数字，最多 2 位小数'],
    [field('stars'), '4.55', '数值应为数字，最多 1 位小数'],
    [field('count'), '  ', '数值不能为空'],
    [field('count', { min: 1, max: 20 }), '21', '数值应在 1 到 20之间'],
    [field('count', { min: 1, max: 20 }), '0', '数值应在 1 到 20之间'],
    [field('rate', { max: 3000 }), '30.01', '数值应在 0 到 30%之间'],
    [field('yuan', { min: 100, max: 1_000_000 }), '0.99', '数值应在 1 到 10,000 元之间'],
    [field('secondHours', { min: 3600, max: 7200 }), '3', '数值应在 1 到 2 小时之间'],
  ]);
  taken([
    [field('count', { optional: true }), '', undefined],
    [field('text', { optional: true }), ' ', undefined],
  ]);
});

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => index + 1).join(' ');
describe('lists', () => {
  taken([
    [field('daysList'), '1、3，7,14 30', [1, 3, 7, 14, 30]],
    [field('daysList'), '、1、、 3、', [1, 3]],
    [field('minutesList'), '1 30', [60, 1800]],
    [field('daysList'), '0 1', [0, 1]],
    [field('daysList'), numbers(8), [1, 2, 3, 4, 5, 6, 7, 8]],
    [field('idList'), numbers(60), Array.from({ length: 60 }, (_, index) => index + 1)],
  ]);
  rejected([
    [field('daysList'), '、，', '数值至少填一个'],
    [field('daysList'), numbers(9), '数值最多 8 个'],
    [field('idList'), numbers(61), '数值最多 60 个'],
    [field('daysList'), '3 1', '数值须从小到大，不重复'],
    [field('daysList'), '1 1', '数值须从小到大，不重复'],
    [field('daysList'), '1 x', '数值应为整数'],
    [field('daysList', { max: 60 }), '1 61', '数值应在 0 到 60 天之间'],
  ]);
});

describe('flags and choices', () => {
  const options = [
    ['balance', '退到余额'],
    ['source', '原路退回'],
  ] as const;
  taken([
    [field('flag'), '1', true],
    [field('flag'), '0', false],
    [field('choice', { options }), 'balance', 'balance'],
    [field('choice', { options }), 'source', 'source'],
  ]);
  rejected([
    [field('flag'), '2', '数值不正确'],
    [field('flag'), 'true', '数值不正确'],
    [field('flag'), '', '数值不能为空'],
    [field('choice', { options }), 'other', '请选择数值'],
    [field('choice'), 'balance', '请选择数值'],
  ]);
});

describe('texts', () => {
  taken([
    [field('text'), ' 标准 ', '标准'],
    [field('text'), '字'.repeat(20), '字'.repeat(20)],
    [field('text'), '（Ａ）', '（Ａ）'],
    [field('longText'), '字'.repeat(200), '字'.repeat(200)],
    [field('lines'), ' 标识 \n\n　优先\n', ['标识', '优先']],
    [field('lines'), '', []],
    [field('lines'), '字'.repeat(60), ['字'.repeat(60)]],
    [field('lines'), numbers(8).replaceAll(' ', '\n'), ['1', '2', '3', '4', '5', '6', '7', '8']],
  ]);
  rejected([
    [field('text'), '字'.repeat(21), '数值不能超过 20 个字'],
    [field('longText'), '字'.repeat(201), '数值不能超过 200 个字'],
    [field('text'), '甲\n乙', '数值含有不支持的字符'],
    [field('text'), '甲\u200b乙', '数值含有不支持的字符'],
    [field('text'), '甲\u0007乙', '数值含有不支持的字符'],
    [field('lines'), `好\n${'字'.repeat(61)}`, '数值不能超过 60 个字'],
    [field('lines'), '好\n甲\u202e乙', '数值含有不支持的字符'],
    [field('lines'), numbers(9).replaceAll(' ', '\n'), '数值最多 8 行'],
  ]);
});
