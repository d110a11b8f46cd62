import { expect, test } from 'vitest';
import { filled, missing } from './variables.ts';

test('known placeholders are filled in, others are requested once', () => {
  const text = '{买家} 您好，{步骤} 已核对 {项数} 项，还差 {项数}。';
  const known = { 买家: '小满', 步骤: '核对登录', 项数: '' };
  expect(missing(text, known)).toEqual(['项数']);
  expect(filled(text, known)).toBe('小满 您好，核对登录 已核对 {项数} 项，还差 {项数}。');
  expect(missing(text, { ...known, 项数: '4' })).toEqual([]);
  expect(filled('没有占位符', known)).toBe('没有占位符');
});
