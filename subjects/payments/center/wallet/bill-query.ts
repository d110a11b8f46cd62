import { dayAfter, dayOf } from '#contract/rules/time/china-time.ts';
import { type BillGroup, billGroups } from '#subjects/ledger/rules/bill.ts';

/** The user's accounts with their purpose. */
export const ACCOUNTS = [
  { account: 'available', label: '可用余额', help: '可以付款、提现的钱' },
  { account: 'frozen', label: '冻结', help: '保护期内的货款与处理中的提现' },
  { account: 'deposit', label: '保证金', help: '开店与接单时缴纳，退出后可退' },
] as const;

export const DIRECTIONS = [
  { direction: null, label: '全部' },
  { direction: 'in', label: '收入' },
  { direction: 'out', label: '支出' },
] as const;

/** Selectable periods, in days up to today. */
export const RANGES = [7, 30, 90] as const;

/** The query of the bill. */
export interface BillState {
  account: (typeof ACCOUNTS)[number]['account'];
  direction: (typeof DIRECTIONS)[number]['direction'];
  kind: BillGroup | null;
  /** Dates in China's time zone. */
  minTime: string | null;
  maxTime: string | null;
  orderSn: string | null;
}

/** Parses the query; unknown values count as absent, and a reversed period as none. */
export function parseBill(query: URLSearchParams): BillState {
  const [minTime, maxTime] = [dayOf(query.get('minTime')), dayOf(query.get('maxTime'))];
  const inOrder = !minTime || !maxTime || minTime <= maxTime;
  const orderSn = query.get('orderSn')?.trim() ?? '';
  return {
    account: ACCOUNTS.find(({ account }) => account === query.get('account'))?.account ?? 'available',
    direction: DIRECTIONS.find(({ direction }) => direction === query.get('direction'))?.direction ?? null,
    kind: billGroups.find((kind) => kind === query.get('kind')) ?? null,
    minTime: inOrder ? minTime : null,
    maxTime: inOrder ? maxTime : null,
    orderSn: /^[A-Za-z0-9-]{1,32}$/.test(orderSn) ? orderSn : null,
  };
}

/** The input of the endpoint; absent values are left out. */
export function billInput(state: BillState) {
  const { account, direction, kind, minTime, maxTime, orderSn } = state;
  return {
    account,
    ...(direction && { direction }),
    ...(kind && { kind }),
    ...(minTime && { minTime }),
    ...(maxTime && { maxTime }),
    ...(orderSn && { orderSn }),
  };
}

/** The URL; defaults are left out. */
export function billPath(path: string, state: BillState): string {
  const { account, ...rest } = billInput(state);
  const query = new URLSearchParams({ ...(account !== 'available' && { account }), ...rest });
  return query.size > 0 ? `${path}?${query}` : path;
}

/** Whether any filter besides the account is set. */
export function isFiltered({ direction, kind, minTime, maxTime, orderSn }: BillState): boolean {
  return [direction, kind, minTime, maxTime, orderSn].some(Boolean);
}

/** The state for the last `days` days up to `today`. */
export function lastDays(state: BillState, days: number, today: string): BillState {
  return { ...state, minTime: dayAfter(today, 1 - days), maxTime: today };
}
