import type { AppError } from '#server/kernel/errors.ts';

/** The remedies offered for an error that occurs before any page can be rendered. */
const ADVICE: Readonly<Record<string, string>> = {
  UNKNOWN_SITE:
    '请检查网址有没有写错。如果您是运营人员：这个域名还没有分配给任何站点，请在后台“品牌”里填写它；刚装好的市场请先完成首次设置。',
  BAD_REQUEST: '网址里有无法识别的字符，可能没有复制完整。请检查后重试，或从首页重新进入。',
  PICTURE_PRIVATE: '请用看到这张图片的账号登录，再从原来的页面打开。图片地址不能转给他人，也不能换一个浏览器直接打开。',
  PICTURE_ENDED: '为保护聊天和凭证，图片地址在一两个小时后失效。请回到原来的页面，刷新后再打开。',
  BUSY: '现在访问的人较多，请稍等几秒后刷新页面。',
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Whether the response is displayed by a browser rather than read by a program. */
export const isForPerson = (method: string, url: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && (accept ?? '').includes('text/html');

interface PlainPage {
  title: string;
  text: string;
  link: { path: string; label: string };
  /** Small print below. */
  end?: string;
}

/** A page without scripts or files. */
export function plainPage({ title, text, link, end = '' }: PlainPage): string {
  return `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">
<title>${escaped(title)}</title>
<style>body{margin:0;min-height:100vh;display:flex;align-items:center;justify-content:center;background:#f5f6f8;color:#1d2129;font:16px/1.7 system-ui,-apple-system,"PingFang SC","Microsoft YaHei",sans-serif}main{max-width:30rem;margin:1.5rem;padding:2rem;background:#fff;border-radius:12px;box-shadow:0 1px 4px rgba(0,0,0,.08)}h1{margin:0 0 .75rem;font-size:1.25rem}p{margin:0 0 1rem;color:#4e5969}a{color:#0f62d6}small{color:#86909c}</style></head>
<body><main><h1>${escaped(title)}</h1><p>${escaped(text)}</p><p><a href="${link.path}">${escaped(link.label)}</a></p><small>${escaped(end)}</small></main></body></html>
`;
}

/** The page of an error outside the pages of a market. */
export function faultPage({ error, status, text }: Pick<AppError, 'error' | 'status' | 'text'>): string {
  const advice = ADVICE[error] ?? '请稍后重试，或从首页重新进入。';
  return plainPage({ title: text, text: advice, link: { path: '/', label: '回到首页' }, end: `错误 ${status}` });
}
