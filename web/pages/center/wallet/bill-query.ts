/** The user's accounts with what each is for. */
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

/** What the address asks of the bill. */
export interface BillState {
  account: (typeof ACCOUNTS)[number]['account'];
  direction: (typeof DIRECTIONS)[number]['direction'];
}

/** Reads the address; anything unknown counts as absent. */
export function parseBill(query: URLSearchParams): BillState {
  return {
    account: ACCOUNTS.find(({ account }) => account === query.get('account'))?.account ?? 'available',
    direction: DIRECTIONS.find(({ direction }) => direction === query.get('direction'))?.direction ?? null,
  };
}

/** Writes the address; defaults are left out. */
export function billPath(path: string, { account, direction }: BillState): string {
  const query = new URLSearchParams();
  if (account !== 'available') query.set('account', account);
  if (direction) query.set('direction', direction);
  return query.size > 0 ? `${path}?${query}` : path;
}
