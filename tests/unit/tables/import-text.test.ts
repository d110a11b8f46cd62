import { expect, test } from 'vitest';
import { cleanText } from '#server/import/text.ts';
import { noteOf } from '#server/import/note.ts';
import { cpuMs } from '#tests/support/time/cpu-time.ts';

const title = (raw: string) => cleanText(raw, { max: 120, lines: false });

test('D7: a repeated title is shortened to one, and a long one ends at a word', () => {
  const one = '【急出】苹果微信 段位超级王牌 热力值67363';
  expect(title(one.repeat(12))).toEqual({ text: one, changes: ['去掉重复内容'] });
  expect(title(`${one} ${one}`).text).toBe(one);
  const words = Array.from({ length: 40 }, (_, i) => `皮肤第${i}款`).join(' ');
  const { text, changes } = title(words);
  expect(text.length).toBeLessThanOrEqual(120);
  expect(words.startsWith(`${text} `)).toBe(true);
  expect(changes).toEqual(['截到 120 个字']);
  expect(title('号'.repeat(3)).changes).toEqual([]);
});

test('D7: the sentence is removed with its contact completely', () => {
  expect(title('一区 等级91 加V: wx_24146')).toEqual({ text: '一区 等级91', changes: ['删去含联系方式的句子'] });
});

test('D7: a corrected row reports the changed cells', () => {
  const corrections = [{ field: '价格', from: '1297.61元', to: '1297.61' }];
  expect(noteOf({ line: 2, key: 'SJ1', outcome: 'corrected', goodsId: 1, corrections })).toBe(
    '价格：1297.61元 → 1297.61',
  );
});

test('a line of 100,000 characters is read quickly', () => {
  const took = cpuMs(() => {
    title('ab '.repeat(33_000));
    title('号1'.repeat(50_000));
  });
  expect(took).toBeLessThan(2000);
});
