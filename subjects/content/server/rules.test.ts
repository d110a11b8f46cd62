import { expect, test } from 'vitest';
import { blocksForWire } from './rules.ts';

test('a picture of an article is sent as its URL, other blocks as they are', () => {
  const heading = { t: 'h', text: '标题' } as const;
  const link = { t: 'link', text: '规则', url: '/rules' } as const;
  const picture = { t: 'img', key: 'a1', alt: '截图' } as const;
  expect(blocksForWire([heading, picture, link], (key) => `/img/${key}.webp`)).toEqual([
    heading,
    { t: 'img', url: '/img/a1.webp', alt: '截图' },
    link,
  ]);
  expect(blocksForWire([], String)).toEqual([]);
});
