import { isStrictPage } from '#subjects/distributors/rules/statistics.ts';

interface Page {
  nonce: string;
  url: URL;
  dev: boolean;
  /** Hosts that receive data from the distributor's statistics scripts. */
  statisticsHosts?: readonly string[];
  /** Sites that the page may embed in a frame. */
  frameSources?: readonly string[];
  /** The one site that may embed this page in a frame: a preview in the back office. */
  frameAncestor?: string | undefined;
  /** No one is signed in: the page contains no personal data. */
  isVisitor?: boolean;
  /** Hosts of the IM provider; none when only our own gateway is used. */
  chatConnect?: readonly string[] | undefined;
}

/** The chat page is the only one that may connect to the IM provider. */
const CHAT = /^\/chatSystem(\/|\.data|$)/;

/** The Content-Security-Policy of one page. `nonce` is new for every response (reliability.md c.8). */
export function contentSecurityPolicy(page: Page): string {
  const { nonce, url, dev, statisticsHosts = [], chatConnect = [], frameSources = [], frameAncestor } = page;
  const socket = `${url.protocol === 'https:' ? 'wss' : 'ws'}://${url.host}`;
  const strict = isStrictPage(url.pathname);
  const hosts = strict ? '' : statisticsHosts.map((host) => ` ${host}`).join('');
  // Host sources are for browsers that support nonces but not strict-dynamic; all others ignore them.
  const fallback = strict ? '' : ` 'self'${hosts}`;
  const policy = [
    "default-src 'self'",
    `script-src${fallback} 'nonce-${nonce}' 'strict-dynamic'`,
    // In development styles are inserted by a script. The style attribute contains a distributor's hue and measured positions.
    dev ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${hosts}`,
    `connect-src 'self' ${socket}${hosts}${CHAT.test(url.pathname) ? chatConnect.map((host) => ` ${host}`).join('') : ''}`,
    "font-src 'self'",
    // The service worker, which shows push messages.
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-src ${frameSources.length === 0 ? "'none'" : frameSources.join(' ')}`,
    `frame-ancestors ${frameAncestor ?? "'none'"}`,
  ];
  return policy.join('; ');
}

/**
 * How long a page may be cached: not at all, since it has a nonce and may contain personal data. A visitor's public page may be cached by the
 * browser that opened it, so that going back from another site needs no new load; any other navigation requests it again, as does another
 * cookie. Pages with passwords are excluded.
 */
function cacheControl({ isVisitor = false, url, dev }: Page): string {
  const isData = url.pathname.endsWith('.data');
  return isVisitor && !dev && !isData && !isStrictPage(url.pathname) ? 'private, no-cache' : 'private, no-store';
}

/** Headers of every page and of the data behind it. */
export function securityHeaders(page: Page): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(page),
    'cache-control': cacheControl(page),
    'x-content-type-options': 'nosniff',
    // The equivalent of frame-ancestors for older browsers.
    ...(page.frameAncestor === undefined && { 'x-frame-options': 'DENY' }),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(self), geolocation=(), payment=(), usb=()',
    vary: 'cookie, accept-encoding',
  };
}
