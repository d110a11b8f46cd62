import { COMPANION_PLAY } from './order-types.ts';

/**
 * The buyer's protection: the inspection time, and how long the money stays frozen after the receipt, by the seller's
 * level.
 */
export interface Protection {
  /** 0 where nothing is inspected: companion play is settled by its minutes. */
  inspectHours: number;
  holdHours: number;
}

const spanText = (hours: number): string => (hours % 24 === 0 ? `${hours / 24} 天` : `${hours} 小时`);

/** The hours to inspect a trade of a type, by the setting of its time to confirm. */
export const inspectHoursOf = (typeId: number, confirmSeconds: number): number =>
  typeId === COMPANION_PLAY ? 0 : Math.round(confirmSeconds / 3600);

/**
 * The protection as the one sentence that every page, notice and help text uses; without figures when no trade is
 * known.
 */
export function protectionText(protection: Protection | null): string {
  if (!protection) return '验收期内可申诉，确认后货款继续冻结一段保护期，其间均可申诉';
  const { inspectHours, holdHours } = protection;
  if (inspectHours === 0) return holdHours > 0 ? `结算后再保护 ${spanText(holdHours)}，其间均可申诉` : '结算后立即放款';
  const after = holdHours > 0 ? `，确认后再保护 ${spanText(holdHours)}，其间均可申诉` : '，其间可申诉，确认后立即放款';
  return `验收最长 ${spanText(inspectHours)}${after}`;
}
