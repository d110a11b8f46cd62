import { isStrictPage } from '#contract/rules/statistics.ts';

interface Page {
  nonce: string;
  url: URL;
  dev: boolean;
  /** Where the distributor's statistics send to. */
  statisticsHosts?: readonly string[];
  /** Addresses of the service that carries the chat; none with our own gateway alone. */
  chatConnect?: readonly string[] | undefined;
}

/** Where the order chat stands; there alone a page may speak with the service that carries the chat. */
const CHAT = /^\/chatSystem(\/|\.data|$)/;

/** The policy of one page; `nonce` is fresh for every response (reliability.md c.8). */
export function contentSecurityPolicy({ nonce, url, dev, statisticsHosts = [], chatConnect = [] }: Page): string {
  const socket = `${url.protocol === 'https:' ? 'wss' : 'ws'}://${url.host}`;
  const strict = isStrictPage(url.pathname);
  const hosts = strict ? '' : statisticsHosts.map((host) => ` ${host}`).join('');
  // Addresses are for browsers that know nonces and not strict-dynamic; all others ignore them.
  const fallback = strict ? '' : ` 'self'${hosts}`;
  const policy = [
    "default-src 'self'",
    `script-src${fallback} 'nonce-${nonce}' 'strict-dynamic'`,
    // Development puts styles in by script; the attribute form carries a distributor's hue and measured positions.
    dev ? "style-src 'self' 'unsafe-inline'" : `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `img-src 'self' data: blob:${hosts}`,
    `connect-src 'self' ${socket}${hosts}${CHAT.test(url.pathname) ? chatConnect.map((host) => ` ${host}`).join('') : ''}`,
    "font-src 'self'",
    // The one worker shows what is pushed to the browser.
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-src 'none'",
    "frame-ancestors 'none'",
  ];
  return policy.join('; ');
}

/** Headers of every page and of the data behind it. A page with a nonce must never be stored. */
export function securityHeaders(page: Page): Record<string, string> {
  return {
    'content-security-policy': contentSecurityPolicy(page),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    // What frame-ancestors says, for browsers that are older than it.
    'x-frame-options': 'DENY',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
    vary: 'cookie, accept-encoding',
  };
}
