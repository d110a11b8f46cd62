import type { StyledText } from './ssr-gzip.ts';

/** A rendered page that any visitor may get. */
interface CachedPage {
  readonly text: StyledText;
  readonly nonce: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly until: number;
}

/** A page may be served to other visitors for this long: many visitors on one page cause one rendering a second and count as one view. */
const TTL_MS = 1_000;
/** About 300 KB each. */
const MAX_PAGES = 64;
const MAX_REQUESTED = 2_000;
/** Cache key of all URLs that no page has. */
const UNKNOWN = '404';

/** Pages that many visitors open at the same moment. Lists are excluded: people look there for what they have just published. */
const PATHS = /^\/(allgame|h)?\/?$|^\/(detail|JDetail|h\/goodsDetail)\/[\w-]+$/;

/**
 * Caches the pages of visitors who are not logged in, for one second. A page is stored with the nonce it was rendered with and is sent
 * with a new one each time, because a nonce shared by two responses could be guessed. Only complete pages (200, no cookie set)
 * and the one page for unknown URLs are stored, and only those requested twice within that second: a page for a single visitor is not worth
 * the memory.
 */
export class PageCache {
  readonly #pages = new Map<string, CachedPage>();
  /** Time of the last request for a page that was not cached. */
  readonly #requested = new Map<string, number>();
  /** Pages that were requested again while not cached. */
  readonly #popular = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The cache key of a page; undefined if it must not be cached. Contains everything that the rendering depends on. */
  static keyOf(page: {
    method: string;
    url: URL;
    theme: string;
    device: string;
    /** No page has this URL: all such URLs share one page per site. */
    isUnknown?: boolean;
  }): string | undefined {
    if (page.method !== 'GET') return undefined;
    if (page.isUnknown === true) return [UNKNOWN, page.url.origin, page.theme, page.device].join('\n');
    if (!PATHS.test(page.url.pathname)) return undefined;
    return [page.url.href, page.theme, page.device].join('\n');
  }

  /** A page that has not expired, with its nonce replaced. */
  get(key: string, nonce: string): { text: StyledText; headers: CachedPage['headers'] } | undefined {
    const now = this.#now();
    const cached = this.#pages.get(key);
    if (!cached || cached.until <= now) {
      this.#miss(key, now);
      return undefined;
    }
    const renewed = (text: string): string => text.replaceAll(cached.nonce, nonce);
    return {
      text: { ...cached.text, before: renewed(cached.text.before), after: renewed(cached.text.after) },
      headers: cached.headers,
    };
  }

  #miss(key: string, now: number): void {
    if (now - (this.#requested.get(key) ?? Number.NEGATIVE_INFINITY) < TTL_MS) this.#popular.add(key);
    else this.#popular.delete(key);
    if (this.#requested.size >= MAX_REQUESTED) {
      this.#requested.clear();
      this.#popular.clear();
    }
    this.#requested.set(key, now);
  }

  /** Stores a page that was just rendered, if it was requested more than once. */
  put(key: string, page: { text: StyledText; nonce: string; response: Response }): void {
    const { response, text, nonce } = page;
    if (!this.#popular.delete(key)) return;
    if (response.status !== (key.startsWith(`${UNKNOWN}\n`) ? 404 : 200) || response.headers.has('set-cookie')) return;
    const now = this.#now();
    for (const [other, { until }] of this.#pages)
      if (until <= now || this.#pages.size >= MAX_PAGES) this.#pages.delete(other);
    this.#pages.set(key, { text, nonce, headers: [...response.headers], until: now + TTL_MS });
  }
}
