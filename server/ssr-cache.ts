import type { PageText } from './ssr-gzip.ts';

/** A rendered page that any visitor may get. */
interface CachedPage {
  readonly text: PageText;
  readonly nonce: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly until: number;
}

/** So long a visitor may see a page that was made for another: a crowd on one page costs one rendering a second, and counts as one view. */
const TTL_MS = 1_000;
/** Some 300 KB each. */
const MAX_PAGES = 64;
const MAX_REQUESTED = 2_000;
/** In the place of an address that no page has. */
const UNKNOWN = '404';

/** What crowds of visitors open at once. Lists are left out: what was just published is looked for there. */
const PATHS = /^\/(allgame|h)?\/?$|^\/(detail|JDetail|h\/goodsDetail)\/[\w-]+$/;

/**
 * Pages of visitors who are not logged in, for a moment. A page is kept with the nonce that it was rendered with, and leaves with
 * a new one each time: a nonce that two responses share would be worth guessing. Only whole pages (200, no cookie set) are kept, and
 * the one page of all addresses that no page has,
 * and only those that were asked for twice within the moment: one visitor's page is not worth the memory.
 */
export class PageCache {
  readonly #pages = new Map<string, CachedPage>();
  /** When a page that was not there was last asked for. */
  readonly #requested = new Map<string, number>();
  /** Pages of which another visitor waits for one as well. */
  readonly #popular = new Set<string>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** The name under which a page may be kept; undefined when it may not. Everything that the page depends on is in it. */
  static keyOf(page: {
    method: string;
    url: URL;
    theme: string;
    device: string;
    /** No page has such an address: all of them are one page of a site. */
    isUnknown?: boolean;
  }): string | undefined {
    if (page.method !== 'GET') return undefined;
    if (page.isUnknown === true) return [UNKNOWN, page.url.origin, page.theme, page.device].join('\n');
    if (!PATHS.test(page.url.pathname)) return undefined;
    return [page.url.href, page.theme, page.device].join('\n');
  }

  /** A page that is still good, with another nonce in the place of its own. */
  get(key: string, nonce: string): { text: PageText; headers: CachedPage['headers'] } | undefined {
    const now = this.#now();
    const cached = this.#pages.get(key);
    if (!cached || cached.until <= now) {
      this.#miss(key, now);
      return undefined;
    }
    const renewed = (text: string): string => text.replaceAll(cached.nonce, nonce);
    return {
      text: { before: renewed(cached.text.before), after: renewed(cached.text.after) },
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

  /** Keeps a page that has just been rendered, when it is worth it. */
  put(key: string, page: { text: PageText; nonce: string; response: Response }): void {
    const { response, text, nonce } = page;
    if (!this.#popular.delete(key)) return;
    if (response.status !== (key.startsWith(`${UNKNOWN}\n`) ? 404 : 200) || response.headers.has('set-cookie')) return;
    const now = this.#now();
    for (const [other, { until }] of this.#pages)
      if (until <= now || this.#pages.size >= MAX_PAGES) this.#pages.delete(other);
    this.#pages.set(key, { text, nonce, headers: [...response.headers], until: now + TTL_MS });
  }
}
