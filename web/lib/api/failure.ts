import { isRouteErrorResponse } from 'react-router';

/** The specification's own texts (product.md 2), with their meaning in Chinese. */
const TEXTS: Readonly<Record<number, [title: string, meaning: string]>> = {
  404: ['This page could not be found', '没有找到这个页面，链接可能有误或已失效'],
  500: ['Unknown middleware', '系统开小差了，请稍后再试'],
};

/** The messages of the three major browsers for a page that could not be fetched, and for a truncated response. */
const UNREACHED = /fetch|network|load failed|decode turbo-stream/i;

/** A proxy's statuses for an unavailable server. */
const AWAY = [502, 503, 504];

/** Whether an error was thrown by our own code while rendering a page. */
export function isFault(error: unknown): boolean {
  return !isRouteErrorResponse(error) && !UNREACHED.test(String(error));
}

interface Described {
  /** Null when there was no response. */
  status: number | null;
  title: string;
  meaning: string;
  /** The page's headline: the title if it is Chinese, otherwise the meaning of the specification's text. */
  heading: 'title' | 'meaning';
  /** The id of the request that failed on the server. */
  requestId?: string;
}

/**
 * Extracts number and message of a thrown value; for an internal error only the number is displayed, never its message.
 */
export function describe(error: unknown): Described {
  const response = isRouteErrorResponse(error) ? error : null;
  // The router wraps a route table that it could not load into its own 400.
  if (response ? response.status === 400 && typeof response.data === 'string' : UNREACHED.test(String(error)))
    return { status: null, title: '网络超时', meaning: '没有连上服务器，请检查网络后再试', heading: 'title' };
  const status = response?.status ?? 500;
  const msg: unknown = response?.data?.msg;
  const requestId: unknown = response?.data?.requestId;
  if (AWAY.includes(status) && !msg)
    return { status, title: '网站正在更新，请稍候...', meaning: '一般几分钟内恢复', heading: 'title' };
  const [title, meaning] = TEXTS[status] ?? ['Error', '请求没有成功'];
  return {
    status,
    title,
    meaning: typeof msg === 'string' && msg ? msg : meaning,
    heading: 'meaning',
    ...(typeof requestId === 'string' && { requestId }),
  };
}
