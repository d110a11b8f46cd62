import { expect, test } from 'vitest';
import type { Field } from '#subjects/games/contract/games.ts';
import { accountSummary, accountText } from './account-text.ts';

const field = (key: string, kind: Field['kind'], more: Partial<Field> = {}): Field => ({
  key,
  label: key,
  kind,
  required: false,
  inCard: true,
  filterable: true,
  goodsTypes: [1],
  sort: 1,
  ...more,
});
const options = [
  { v: 1, label: '王者' },
  { v: 2, label: '星耀' },
];

test('an account is listed line by line, without empty fields', () => {
  const fields = [
    field('段位', 'single', { options }),
    field('英雄', 'multi', { options }),
    field('皮肤', 'range', { unit: '款' }),
    field('实名', 'bool'),
    field('备注', 'text'),
    field('武器', 'item_count', { options }),
  ];
  const details = { 段位: '1', 英雄: [1, 2], 皮肤: 0, 实名: false, 备注: '', 武器: { 2: '3' } };
  expect(accountText({ gameName: '王者荣耀', areaName: '安卓QQ', fields, details })).toBe(
    '王者荣耀 安卓QQ\n段位：王者\n英雄：王者、星耀\n皮肤：0款\n实名：否\n武器：星耀 ×3',
  );
  expect(accountText({ gameName: '王者荣耀', areaName: null, fields, details: { 英雄: [] } })).toBe('王者荣耀');
});

test('an account in one line names the first fields and counts all', () => {
  const fields = ['段位', '段位二', '段位三', '段位四'].map((key) => field(key, 'single', { options }));
  expect(accountSummary(fields, {})).toBe('');
  expect(accountSummary(fields, { 段位: '1', 段位四: '2' })).toBe('段位 王者，段位四 星耀');
  expect(accountSummary(fields, { 段位: 1, 段位二: 2, 段位三: 1, 段位四: 1 })).toBe(
    '段位 王者，段位二 星耀，段位三 王者 等 4 项',
  );
});
