import type { AppError } from '#server/kernel/errors.ts';
import { plainPage } from '#server/kernel/plain-page.ts';

/** The remedies offered for an error that occurs before any page can be rendered. */
const ADVICE: Readonly<Record<string, string>> = {
  UNKNOWN_SITE:
    '请检查网址有没有写错。如果您是运营人员：这个域名还没有分配给任何站点，请在后台“品牌”里填写它；刚装好的市场请先完成首次设置。',
  BAD_REQUEST: '网址里有无法识别的字符，可能没有复制完整。请检查后重试，或从首页重新进入。',
  PICTURE_PRIVATE: '请用看到这张图片的账号登录，再从原来的页面打开。图片地址不能转给他人，也不能换一个浏览器直接打开。',
  PICTURE_ENDED: '为保护聊天和凭证，图片地址在一两个小时后失效。请回到原来的页面，刷新后再打开。',
  BUSY: '现在访问的人较多，请稍等几秒后刷新页面。',
};

/** Whether the response is displayed by a browser rather than read by a program. */
export const isForPerson = (method: string, url: string, accept: string | undefined): boolean =>
  (method === 'GET' || method === 'HEAD') && !url.startsWith('/api/') && (accept ?? '').includes('text/html');

/** The page of an error outside the pages of a market. */
export function faultPage({ error, status, text }: Pick<AppError, 'error' | 'status' | 'text'>): string {
  const advice = ADVICE[error] ?? '请稍后重试，或从首页重新进入。';
  return plainPage({ title: text, text: advice, link: { path: '/', label: '回到首页' }, end: `错误 ${status}` });
}
