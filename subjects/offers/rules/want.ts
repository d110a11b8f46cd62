/** States of a want (domain.md 4). */
export const WantStatus = { Open: 1, Closed: 2, Met: 3 } as const;

const names: Readonly<Record<number, string>> = { 1: '求购中', 2: '已关闭', 3: '已买到' };

/** A want's state, as displayed to the buyer. */
export function wantStatusName(status: number): string {
  return names[status] ?? '已结束';
}
