import { expect, it } from 'vitest';
import { articleText, blocksOf } from './article.ts';

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
