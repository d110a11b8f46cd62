import { isRouteErrorResponse } from 'react-router';

/** The specification's own texts (product.md 2), with what they mean for a reader of Chinese. */
const TEXTS: Readonly<Record<number, [title: string, meaning: string]>> = {
  404: ['This page could not be found', '没有找到这个页面，链接可能有误，或者内容已被移除'],
  500: ['Unknown middleware', '系统开小差了，请稍后再试'],
};

/** A page that could not be fetched in the words of the three great browsers, and an answer that ended before its end. */
const UNREACHED = /fetch|network|load failed|decode turbo-stream/i;

/** A proxy's words for a server that is not there. */
const AWAY = [502, 503, 504];

/** Whether an error came out of our own code while it drew a page. */
export function isFault(error: unknown): boolean {
  return !isRouteErrorResponse(error) && !UNREACHED.test(String(error));
}

interface Described {
  /** Null when nothing came back. */
  status: number | null;
  title: string;
  meaning: string;
}

/** Reads number and sentence of what was thrown; of a fault only the number is shown, never its words. */
export function describe(error: unknown): Described {
  const response = isRouteErrorResponse(error) ? error : null;
  // The router wraps a table of routes that it could not fetch into a 400 of its own.
  if (response ? response.status === 400 && typeof response.data === 'string' : UNREACHED.test(String(error)))
    return { status: null, title: '网络超时', meaning: '没有连上服务器，请检查网络后再试' };
  const status = response?.status ?? 500;
  const msg: unknown = response?.data?.msg;
  if (AWAY.includes(status) && !msg) return { status, title: '网站正在更新，请稍候...', meaning: '一般几分钟内恢复' };
  const [title, meaning] = TEXTS[status] ?? ['Error', '请求没有成功'];
  return { status, title, meaning: typeof msg === 'string' && msg ? msg : meaning };
}
