/** States of a want (domain.md 4). */
export const WantStatus = { Open: 1, Closed: 2, Met: 3 } as const;
export type WantStatus = (typeof WantStatus)[keyof typeof WantStatus];

const names: Readonly<Record<number, string>> = {
  [WantStatus.Open]: '求购中',
  [WantStatus.Closed]: '已关闭',
  [WantStatus.Met]: '已买到',
} satisfies Record<WantStatus, string>;

/** A want's state, as displayed to the buyer. */
export function wantStatusName(status: number): string {
  return names[status] ?? '已结束';
}
