/**
 * A body consists of blocks of plain text, pictures and links; never markup. Pictures are keys here and URLs on the
 * wire.
 */
export type StoredBlock =
  | { t: 'p' | 'h' | 'li' | 'quote'; text: string }
  | { t: 'img'; key: string; alt: string }
  | { t: 'link'; text: string; url: string };

export const ARTICLE_MAX = 20_000;
const BLOCKS_MAX = 300;
const TEXT_MAX = 2000;

const PREFIXES = { '# ': 'h', '- ': 'li', '> ': 'quote' } as const;
const IMAGE = /^!\[([^\]]{0,80})\]\(([\w/.-]{1,120})\)$/;
const LINK = /^\[([^\]]{1,80})\]\((\S{1,300})\)$/;
/** The end of the key of a picture of a chat or of evidence (decision 605), whose URL would be signed for each reader. */
const PRIVATE_END = '-p';
/** A page inside the site, or a web page. Not a picture, which may be private. */
const ADDRESS = /^(https?:\/\/[^\s/]|\/(?!img\/)($|[^/\\]))/;

/** Parses what an author wrote, one block per line; returns a message when a line is invalid. */
export function blocksOf(text: string): StoredBlock[] | string {
  const blocks: StoredBlock[] = [];
  for (const [n, raw] of text.split('\n').entries()) {
    const line = raw.trim();
    if (line === '') continue;
    if (line.length > TEXT_MAX) return `第 ${n + 1} 行超过 ${TEXT_MAX} 个字，请分段`;
    const image = IMAGE.exec(line);
    const link = LINK.exec(line);
    const prefix = Object.entries(PREFIXES).find(([sign]) => line.startsWith(sign));
    if (image) {
      const key = image[2] ?? '';
      if (key.endsWith(PRIVATE_END)) return `第 ${n + 1} 行的图片来自聊天或凭证，不能公开，请重新上传`;
      blocks.push({ t: 'img', alt: image[1] ?? '', key });
    } else if (link) {
      if (!ADDRESS.test(link[2] ?? '')) return `第 ${n + 1} 行的链接不正确，应以 / 或 https:// 开头`;
      blocks.push({ t: 'link', text: link[1] ?? '', url: link[2] ?? '' });
    } else if (prefix) blocks.push({ t: prefix[1], text: line.slice(2).trim() });
    else blocks.push({ t: 'p', text: line });
  }
  if (blocks.length === 0) return '正文不能为空';
  return blocks.length > BLOCKS_MAX ? `正文不能超过 ${BLOCKS_MAX} 段` : blocks;
}

/** The source text of a body: the inverse of `blocksOf`. */
export function articleText(blocks: readonly StoredBlock[]): string {
  const signs = { h: '# ', li: '- ', quote: '> ', p: '' } as const;
  return blocks
    .map((b, n) => {
      // Items of one list are adjacent lines; all other blocks are separated by an empty line.
      const gap = n === 0 ? '' : b.t === 'li' && blocks[n - 1]?.t === 'li' ? '\n' : '\n\n';
      if (b.t === 'img') return `${gap}![${b.alt}](${b.key})`;
      return b.t === 'link' ? `${gap}[${b.text}](${b.url})` : `${gap}${signs[b.t]}${b.text}`;
    })
    .join('');
}
