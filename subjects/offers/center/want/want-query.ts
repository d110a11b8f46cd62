import { WantStatus } from '#subjects/offers/rules/want.ts';
import { listPath, type ListQuery, parseList } from '#web/lib/lists/list-query.ts';

export const WANT_PATH = '/center/buyBlackList';

/** The states of the list, in the order of the tabs. */
export const WANT_TABS: readonly { status: number | null; label: string }[] = [
  { status: null, label: '全部' },
  { status: WantStatus.Open, label: '求购中' },
  { status: WantStatus.Met, label: '已买到' },
  { status: WantStatus.Closed, label: '已关闭' },
];

/** Parses the filter; an unknown value means the whole list. */
export function wantTab(query: URLSearchParams): number | null {
  return WANT_TABS.find(({ status }) => status !== null && String(status) === query.get('status'))?.status ?? null;
}

/** URL of a filter. */
export function wantTabPath(status: number | null): string {
  return status === null ? WANT_PATH : `${WANT_PATH}?status=${status}`;
}

/** The URL of the want form with the same game, region and filters as a list URL. */
export function wantFormPath(list: string, wantSn?: string): string {
  const query = new URLSearchParams(list.split('?')[1] ?? '');
  for (const name of ['sort', 'view', 'cursor', 'min', 'sellerId']) query.delete(name);
  query.set(wantSn ? 'edit' : 'new', wantSn ?? '1');
  return `${WANT_PATH}?${query}`;
}

/** The filters in the form's URL; null when no form is requested. */
export function wantFormState(query: URLSearchParams): { state: ListQuery; editSn: string | null } | null {
  const editSn = query.get('edit');
  if (!query.has('new') && !editSn) return null;
  const state = {
    ...parseList(query),
    keyWord: '',
    sort: '' as const,
    services: new Set<never>(),
    free: null,
    voice: null,
    rankFrom: null,
    rankTo: null,
    sellerId: null,
    min: '',
  };
  return { state, editSn: editSn && /^[A-Za-z0-9-]{1,32}$/.test(editSn) ? editSn : null };
}

/** The form's URL with other filters. */
export function withFilters(state: ListQuery, editSn: string | null): string {
  return wantFormPath(listPath(state), editSn ?? undefined);
}
