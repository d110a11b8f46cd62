import { listPath, type ListQuery, parseList } from '#web/lib/list-query.ts';

export const WANT_PATH = '/center/buyBlackList';

/** The states of the list, in the order of the tabs. */
export const WANT_TABS: readonly { status: number | null; label: string }[] = [
  { status: null, label: '全部' },
  { status: 1, label: '求购中' },
  { status: 3, label: '已买到' },
  { status: 2, label: '已关闭' },
];

/** Which part of the list an address means; anything unknown is the whole. */
export function wantTab(query: URLSearchParams): number | null {
  return WANT_TABS.find(({ status }) => status !== null && String(status) === query.get('status'))?.status ?? null;
}

/** Address of a part. */
export function wantTabPath(status: number | null): string {
  return status === null ? WANT_PATH : `${WANT_PATH}?status=${status}`;
}

/** The list's address turned into that of the posting form with the same game, place and filters. */
export function wantFormPath(list: string, wantSn?: string): string {
  const query = new URLSearchParams(list.split('?')[1] ?? '');
  for (const name of ['sort', 'view', 'cursor', 'min', 'sellerId']) query.delete(name);
  query.set(wantSn ? 'edit' : 'new', wantSn ?? '1');
  return `${WANT_PATH}?${query}`;
}

/** The filters that the form's address holds; null where no form is asked for. */
export function wantFormState(query: URLSearchParams): { state: ListQuery; editSn: string | null } | null {
  const editSn = query.get('edit');
  if (!query.has('new') && !editSn) return null;
  const state = {
    ...parseList(query),
    keyWord: '',
    sort: '' as const,
    services: new Set<never>(),
    sellerId: null,
    min: '',
  };
  return { state, editSn: editSn && /^[A-Za-z0-9-]{1,32}$/.test(editSn) ? editSn : null };
}

/** The form's address for other filters. */
export function withFilters(state: ListQuery, editSn: string | null): string {
  return wantFormPath(listPath(state), editSn ?? undefined);
}
