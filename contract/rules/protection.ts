/** The protection of a buyer, in the one sentence that every page uses. */

const spanText = (hours: number): string => (hours % 24 === 0 ? `${hours / 24} 天` : `${hours} 小时`);

/**
 * The protection as one sentence. `holdHours`: how long the money stays frozen after the receipt, by the seller's level; omitted where no
 * seller is known.
 */
export function protectionText(holdHours?: number): string {
  const after =
    holdHours === undefined || holdHours === 0
      ? '确认收货后货款继续冻结一段保护期'
      : `确认收货后再保护 ${spanText(holdHours)}`;
  return `验收最长 3 天，${after}，其间都可以申诉`;
}
