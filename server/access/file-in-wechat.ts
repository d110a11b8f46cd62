import type { FastifyReply, FastifyRequest } from 'fastify';
import { payerBrowser } from '#subjects/payments/rules/payer-browser.ts';
import { plainPage } from '#server/kernel/plain-page.ts';

/**
 * WeChat on a phone saves no files, and a link to one can be clicked before the script that explains it (web/parts/wechat/in-wechat.lazy.tsx) is loaded.
 * Returns the page to send instead of the file, with the way back to `page`; undefined in other browsers.
 */
export function insteadOfFile(request: FastifyRequest, reply: FastifyReply, page: string): string | undefined {
  if (payerBrowser(request.headers['user-agent'] ?? '') !== 'wechat') return undefined;
  if (!(request.headers.accept ?? '').includes('text/html')) return undefined;
  void reply.type('text/html; charset=utf-8').header('cache-control', 'no-store');
  return plainPage({
    title: '微信里不能保存文件',
    text: '请返回原来的页面，点右上角的“…”，选“在浏览器打开”，需要时重新登录，再保存。',
    link: { path: page, label: '返回原来的页面' },
  });
}
