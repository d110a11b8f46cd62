import { expect, test } from 'vitest';
import { detailsOf } from './order-details.ts';

test('game and place are read from the JSON text', () => {
  expect(detailsOf('{"gameName":"王者荣耀","areaName":"安卓QQ","serverName":"86 区"}')).toEqual({
    gameName: '王者荣耀',
    place: '安卓QQ / 86 区',
  });
  expect(detailsOf('{"gameName":"原神","areaName":"官服","serverName":""}').place).toBe('官服');
});

test('what is not such a text is empty', () => {
  for (const text of ['', 'null', '{"gameName":', '[]', '{"gameName":7}'])
    expect(detailsOf(text)).toEqual({ gameName: '', place: '' });
});
