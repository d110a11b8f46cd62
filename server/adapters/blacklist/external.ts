import type { Blacklist } from '#server/ports/blacklist.ts';

const TIMEOUT_MS = 3000;

/** A service queried by GET with accessUserid, content and appid; it returns a code and a list (product.md 7). */
export function externalBlacklist(settings: { url: string; user: string; appId: string }): Blacklist {
  return {
    name: '联合黑名单',
    async check(content) {
      const url = new URL(settings.url);
      url.searchParams.set('accessUserid', settings.user);
      url.searchParams.set('content', content);
      url.searchParams.set('appid', settings.appId);
      const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS), redirect: 'error' });
      const { code, data } = (await response.json()) as { code?: unknown; data?: unknown };
      if (!response.ok || Number(code) !== 0 || !Array.isArray(data))
        throw new Error(`the external blacklist rejected the request with code ${String(code)}`);
      return data.length;
    },
  };
}
