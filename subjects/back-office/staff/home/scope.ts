/** The filters of the first page, stored in its URL so that a view can be sent to a colleague. */
export interface BoardScope {
  days: '7' | '14' | '30' | '90';
  distId: string | undefined;
  gameId: string | undefined;
}

const DAYS = ['7', '14', '30', '90'] as const;

/** The filters in the URL; unknown values count as absent. */
export function scopeOf(search: URLSearchParams): BoardScope {
  const number = (name: string) =>
    /^\d{1,9}$/.test(search.get(name) ?? '') ? (search.get(name) ?? undefined) : undefined;
  return {
    days: DAYS.find((days) => days === search.get('days')) ?? '14',
    distId: number('brand'),
    gameId: number('game'),
  };
}

/**
 * The relative change since the previous period, with its sign: +8.1%, −4.2%; a dash when the previous value is zero.
 */
export function changeText(now: number, before: number): string {
  if (before === 0) return now === 0 ? '持平' : '上期没有';
  const change = ((now - before) / before) * 100;
  if (Math.abs(change) < 0.05) return '持平';
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(1)}%`;
}

/** URL of the list of orders behind a figure of the first page; undefined values are left out. */
export function ordersPath(query: Readonly<Record<string, string | undefined>>): string {
  const entries = Object.entries(query).filter((part): part is [string, string] => part[1] !== undefined);
  return `/backstage/orders?${new URLSearchParams(entries).toString()}`;
}
