import { expect, test } from 'vitest';
import type { SellPicture } from './form-state.ts';
import { inserted, filesProblem } from './use-pictures.ts';

const picture = (key: string): SellPicture => ({ key, url: `/img/${key}` });

test('pictures are in the chosen order, whatever order they arrive in', () => {
  const order = new Map<string, number>();
  let list: SellPicture[] = [picture('old')];
  for (const [key, chosen] of [
    ['b', 2],
    ['d', 4],
    ['a', 1],
    ['c', 3],
  ] as const) {
    order.set(key, chosen);
    list = inserted(list, picture(key), order);
  }
  expect(list.map(({ key }) => key)).toEqual(['old', 'a', 'b', 'c', 'd']);
});

test('rejected ones of several files are named', () => {
  const good = { name: '战绩.png', type: 'image/png', size: 1000 };
  const drawn = { name: 'x'.repeat(40), type: 'image/svg+xml', size: 10 };
  const large = { name: 'b.jpg', type: 'image/jpeg', size: 10_001 * 1024 };
  expect(filesProblem([good, good])).toBeNull();
  expect(filesProblem([large])).toBe('图片大小不能超过10M');
  expect(filesProblem([good, large])).toBe('「b.jpg」没有添加：图片大小不能超过10M');
  expect(filesProblem([drawn, good, large])).toBe(
    `「${'x'.repeat(24)}…」等 2 张没有添加：图片格式错误，请上传JPEG/JPG/PNG`,
  );
});
