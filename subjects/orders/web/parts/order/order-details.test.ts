import { expect, test } from 'vitest';
import { detailsOf, withoutGame } from './order-details.ts';

test('game and region are read from the JSON text', () => {
  expect(detailsOf('{"gameName":"王者荣耀","areaName":"安卓QQ","serverName":"86 区"}')).toEqual({
    gameName: '王者荣耀',
    region: '安卓QQ / 86 区',
  });
  expect(detailsOf('{"gameName":"原神","areaName":"官服","serverName":""}').region).toBe('官服');
});

test('any other text is empty', () => {
  for (const text of ['', 'null', '{"gameName":', '[]', '{"gameName":7}'])
    expect(detailsOf(text)).toEqual({ gameName: '', region: '' });
});

test('the game’s name at the start of a title is removed, and nothing else', () => {
  expect(withoutGame('地下城与勇士 跨三A 550 万金币/份', '地下城与勇士')).toBe('跨三A 550 万金币/份');
  expect(withoutGame('王者荣耀：V10 贵族', '王者荣耀')).toBe('V10 贵族');
  expect(withoutGame('周郎妙计 QQ三国', 'QQ三国')).toBe('周郎妙计 QQ三国');
  expect(withoutGame('英雄联盟手游 钻石号', '英雄联盟')).toBe('英雄联盟手游 钻石号');
  expect(withoutGame('原神', '原神')).toBe('原神');
  expect(withoutGame('白板号', '')).toBe('白板号');
});

test.each([
  ['{"areaName":"安卓QQ"}', { gameName: '', region: '安卓QQ' }],
  ['{"serverName":"86 区"}', { gameName: '', region: '86 区' }],
  ['{"areaName":1,"serverName":"86 区"}', { gameName: '', region: '86 区' }],
  ['{"gameName":"原神","areaName":null}', { gameName: '原神', region: '' }],
  ['"text"', { gameName: '', region: '' }],
  ['7', { gameName: '', region: '' }],
])('the details of %s are %o', (json, details) => {
  expect(detailsOf(json)).toEqual(details);
});

test.each([
  ['原神 · - ：满命号', '原神', '满命号'],
  ['原神,满命号', '原神', '满命号'],
  ['原神，满命号 ：', '原神', '满命号 ：'],
  ['原神 ', '原神', '原神 '],
  ['原神：', '原神', '原神：'],
  ['原神号 ·满命', '原神', '原神号 ·满命'],
  ['满命原神 号', '原神', '满命原神 号'],
  ['', '原神', ''],
  [' 白板号', '', ' 白板号'],
])('the title %j without the game %j is %j', (title, game, rest) => {
  expect(withoutGame(title, game)).toBe(rest);
});
