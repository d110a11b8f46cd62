import { describe, expect, test } from 'vitest';
import {
  brandContent,
  changedFields,
  confOf,
  contentOf,
  emptyContent,
  hostFault,
  mergeContent,
} from './brand-content.ts';

const base = { ...emptyContent('星河网游'), hotGames: [3, 1], serviceNum: '400-1' };

test('content and configuration convert into each other without loss', () => {
  const full = {
    ...base,
    games: [1, 3],
    baiduTj: 'a'.repeat(32),
    menus: [{ title: '关于', url: '/news/about' }],
    certificates: [{ url: '/art/certificate/40/x.svg', htUrl: '/kfyz', tarAtt: '_blank' as const }],
  };
  expect(contentOf(confOf(full), full.games)).toEqual(full);
  expect(brandContent.parse(full)).toEqual(full);
});

/** The field and the text of the first fault. */
const faultOf = (change: object): string => {
  const { error } = brandContent.safeParse({ ...base, ...change });
  const issue = error?.issues[0];
  return issue ? `${issue.path.join('.')}: ${issue.message}` : '';
};

test.each([
  [{ name: '星' }, 'name: 网站名称至少 2 个字'],
  [{ welcome: '字'.repeat(61) }, 'welcome: 欢迎词不能超过 60 个字'],
  [{ hue: 360 }, 'hue: 色相应在 0 到 359 之间'],
  [{ hue: 40 }, 'hue: 色相与价格色只差 7°，会看混；至少差 30°，可用 63 到 128、188 到 348'],
  [{ chroma: '深' }, 'chroma: 浓度应为数字'],
  [{ layout: 8 }, 'layout: 首页布局应在 1 到 7 之间'],
  [{ topBar: 3 }, 'topBar: 顶部条应在 1 到 2 之间'],
  [{ logo: 'https://evil.example/x.png' }, 'logo: 标识请用上传的图片'],
  [{ icon: '/img/short' }, 'icon: 图标请用上传的图片'],
  [{ hotGames: [1, 1] }, 'hotGames: 热门游戏里有重复的游戏'],
  [{ hotGames: Array.from({ length: 21 }, (_, n) => n + 1) }, 'hotGames: 热门游戏最多 20 个'],
  [{ games: [3] }, 'hotGames.1: 热门游戏要在本站展示的游戏之内'],
  [{ games: [] }, 'games: 至少选一个游戏'],
  [{ menus: [{ title: '', url: '/x' }] }, 'menus.0.title: 链接名称不能为空'],
  [{ menus: [{ title: '坏', url: 'javascript:alert(1)' }] }, 'menus.0.url: 链接应以 / 或 https:// 开头'],
  [{ menus: [{ title: '坏', url: `/img/${'a'.repeat(26)}-8x6-p` }] }, 'menus.0.url: 链接应以 / 或 https:// 开头'],
  [{ partners: [{ title: '坏', url: '//evil.example' }] }, 'partners.0.url: 链接应以 / 或 https:// 开头'],
  [{ baiduTj: '<script>' }, 'baiduTj: 百度统计编号应为 hm.js? 后的 32 位字符，不要粘贴整段代码'],
  [{ fiveoneTj: 'var LA=1;' }, 'fiveoneTj: 51.la 编号应为 6 到 40 位字母、数字，不要粘贴整段代码'],
])('refuses %j beside its field', (change, fault) => {
  expect(faultOf(change)).toBe(fault);
});

describe('merging the changes of two editors', () => {
  test('changes of different fields are both kept', () => {
    const merged = mergeContent(base, { ...base, hue: 268 }, { ...base, serviceNum: '400-2' });
    expect(merged).toEqual({ content: { ...base, hue: 268, serviceNum: '400-2' }, conflicts: [] });
  });
  test('a conflict in one field keeps the own value and names the field', () => {
    const merged = mergeContent(base, { ...base, hue: 268 }, { ...base, hue: 300 });
    expect(merged).toEqual({ content: { ...base, hue: 268 }, conflicts: ['hue'] });
  });
  test('equal changes are no conflict', () => {
    expect(mergeContent(base, { ...base, hue: 268 }, { ...base, hue: 268 }).conflicts).toEqual([]);
  });
  test('lists are compared by their contents', () => {
    expect(changedFields(base, { ...base, hotGames: [3, 1] })).toEqual([]);
    expect(changedFields(base, { ...base, hotGames: [1, 3] })).toEqual(['hotGames']);
  });
});

test.each([
  ['www.example.com', null],
  ['WWW.Example.Com', null],
  ['xn--fiq228c.example', null],
  ['', '请填写域名，例如 www.example.com'],
  ['https://www.example.com', '只填域名本身，不带 https:// 和路径，例如 www.example.com'],
  ['www.example.com/', '只填域名本身，不带 https:// 和路径，例如 www.example.com'],
  ['www.example.com:8080', '只填域名本身，不带端口'],
  ['10.0.0.1', '请填域名，不能用 IP 地址'],
  ['星河.example', '中文域名请填它的 xn-- 写法'],
  ['example', '域名格式不正确，例如 www.example.com'],
  ['-a.example', '域名格式不正确，例如 www.example.com'],
  ['a..example', '域名格式不正确，例如 www.example.com'],
  [`${'a'.repeat(64)}.example`, '域名格式不正确，例如 www.example.com'],
])('host %j: %j', (host, fault) => {
  expect(hostFault(host)).toBe(fault);
});
