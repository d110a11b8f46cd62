import { describe, expect, it, test } from 'vitest';
import { articleText, blocksOf, type StoredBlock } from './article.ts';

const text = '# 标题\n\n第一段\n\n- 一\n- 二\n- 三\n\n> 引用\n\n![图](a/b.png)\n\n[去看](/news/fees)';

it('parses one block per line and writes the same text again', () => {
  const blocks = blocksOf(text);
  expect(blocks).toEqual([
    { t: 'h', text: '标题' },
    { t: 'p', text: '第一段' },
    { t: 'li', text: '一' },
    { t: 'li', text: '二' },
    { t: 'li', text: '三' },
    { t: 'quote', text: '引用' },
    { t: 'img', alt: '图', key: 'a/b.png' },
    { t: 'link', text: '去看', url: '/news/fees' },
  ]);
  expect(articleText(blocks as Exclude<typeof blocks, string>)).toBe(text);
});

it('keeps markup as the text that it is', () => {
  expect(blocksOf('<script>alert(1)</script>')).toEqual([{ t: 'p', text: '<script>alert(1)</script>' }]);
});

it('rejects invalid text with a message', () => {
  expect(blocksOf('\n \n')).toBe('正文不能为空');
  for (const url of ['javascript:alert(1)', '//evil.cn', 'news', '/\\evil.cn', `/img/${'a'.repeat(26)}-8x6-p`])
    expect(blocksOf(`[点我](${url})`), url).toContain('链接不正确');
  expect(blocksOf(`![图](${'a'.repeat(26)}-8x6-p)`)).toContain('不能公开');
  expect(blocksOf('长'.repeat(2001))).toContain('请分段');
});

describe('blocksOf', () => {
  test.each<[string, StoredBlock]>([
    ['# 标题', { t: 'h', text: '标题' }],
    ['- 一项', { t: 'li', text: '一项' }],
    ['>  引用 ', { t: 'quote', text: '引用' }],
    ['  一段  ', { t: 'p', text: '一段' }],
    ['#标题', { t: 'p', text: '#标题' }],
    ['![图](a/b-c.1)', { t: 'img', alt: '图', key: 'a/b-c.1' }],
    ['![](k)', { t: 'img', alt: '', key: 'k' }],
    ['![图](k) 后', { t: 'p', text: '![图](k) 后' }],
    ['前 ![图](k)', { t: 'p', text: '前 ![图](k)' }],
    ['![图](a b)', { t: 'p', text: '![图](a b)' }],
    ['[站内](/news)', { t: 'link', text: '站内', url: '/news' }],
    ['[首页](/)', { t: 'link', text: '首页', url: '/' }],
    ['[外站](https://a.cn/b)', { t: 'link', text: '外站', url: 'https://a.cn/b' }],
    ['[外站](http://a.cn)', { t: 'link', text: '外站', url: 'http://a.cn' }],
    ['[](https://a.cn)', { t: 'p', text: '[](https://a.cn)' }],
    ['[外站](https://a.cn) 后', { t: 'p', text: '[外站](https://a.cn) 后' }],
    ['前 [外站](https://a.cn)', { t: 'p', text: '前 [外站](https://a.cn)' }],
  ])('%s', (line, block) => {
    expect(blocksOf(line)).toEqual([block]);
  });

  test.each([
    'javascript:alert(1)',
    '//a.cn',
    '/\\a.cn',
    'https://',
    'https:///a',
    'ftp://a.cn',
    '/img/x',
    'xhttps://a.cn',
  ])('refuses a link to %s', (url) => {
    expect(blocksOf(`一\n[链接](${url})`)).toBe('第 2 行的链接不正确，应以 / 或 https:// 开头');
  });

  test('refuses a private picture, by its line', () => {
    expect(blocksOf('\n\n![图](abc-p)')).toBe('第 3 行的图片来自聊天或凭证，不能公开，请重新上传');
    expect(blocksOf('![图](abc-px)')).toEqual([{ t: 'img', alt: '图', key: 'abc-px' }]);
  });

  test('names of pictures, texts of links and addresses have a length', () => {
    expect(blocksOf(`![${'图'.repeat(80)}](k)`)).toMatchObject([{ t: 'img' }]);
    expect(blocksOf(`![${'图'.repeat(81)}](k)`)).toMatchObject([{ t: 'p' }]);
    expect(blocksOf(`![图](${'k'.repeat(120)})`)).toMatchObject([{ t: 'img' }]);
    expect(blocksOf(`![图](${'k'.repeat(121)})`)).toMatchObject([{ t: 'p' }]);
    expect(blocksOf(`[${'字'.repeat(80)}](/a)`)).toMatchObject([{ t: 'link' }]);
    expect(blocksOf(`[${'字'.repeat(81)}](/a)`)).toMatchObject([{ t: 'p' }]);
    expect(blocksOf(`[字](/${'a'.repeat(299)})`)).toMatchObject([{ t: 'link' }]);
    expect(blocksOf(`[字](/${'a'.repeat(300)})`)).toMatchObject([{ t: 'p' }]);
  });

  test('lines of 2,000 characters and 300 blocks are the most', () => {
    expect(blocksOf('字'.repeat(2000))).toHaveLength(1);
    expect(blocksOf(`${'字'.repeat(2001)}`)).toBe('第 1 行超过 2000 个字，请分段');
    expect(blocksOf(Array(300).fill('段').join('\n'))).toHaveLength(300);
    expect(blocksOf(Array(301).fill('段').join('\n'))).toBe('正文不能超过 300 段');
  });

  test('a body of empty lines is empty', () => {
    expect(blocksOf(' \n\n')).toBe('正文不能为空');
  });
});

test('articleText is the inverse, with the items of a list together', () => {
  const text = '# 标题\n\n一段\n\n- 一\n- 二\n\n> 引用\n\n- 三\n\n![图](k)\n\n[链接](/a)';
  expect(articleText(blocksOf(text) as StoredBlock[])).toBe(text);
  expect(articleText([])).toBe('');
});
