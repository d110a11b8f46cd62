/** Parameters of a list's address that name nothing any more, for links that were shared long ago. */
const NAMES = { gt: '商品类型', gid: '游戏', area: '大区', server: '服务器', coin: '币种' } as const;
export type StaleParam = keyof typeof NAMES;

/** The URL of the list without its stale parameters; it tells the page which ones were removed. */
export function withoutStale(path: string, stale: readonly StaleParam[]): string {
  return `${path}${path.includes('?') ? '&' : '?'}stale=${stale.join('.')}`;
}

/** The hint of a page whose address had stale parameters; null without any. */
export function staleHint(query: URLSearchParams): string | null {
  const stale = (query.get('stale') ?? '').split('.');
  const names = Object.entries(NAMES).flatMap(([key, name]) => (stale.includes(key) ? [name] : []));
  return names.length > 0 ? `链接里的${names.join('、')}已失效，已按其余条件显示` : null;
}
