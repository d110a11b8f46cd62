import { expect, test } from 'vitest';
import { messageText } from './field.tsx';

test('the text of a message, of a check and of nothing', () => {
  expect([{ text: '已被占用' }, '请填写价格', null, undefined, ''].map(messageText)).toEqual([
    '已被占用',
    '请填写价格',
    null,
    undefined,
    '',
  ]);
});
