/** Ways to hand an order over outside the site's own steps (product.md 3, isRecovery), by the number stored with the order. */
export const offlineMethods = {
  1: '线下当面交付',
  2: '游戏内当面交付',
  3: '语音或远程协助交付',
} as const;

export type OfflineMethod = keyof typeof offlineMethods;

/**
 * The state of a seller's mark: none, pending the buyer's answer, agreed, denied, or unanswered when the order ended.
 */
export const OFFLINE_STATES = ['none', 'pending', 'agreed', 'denied', 'lapsed'] as const;
export type OfflineState = (typeof OFFLINE_STATES)[number];

/** The name of a way to hand over; empty for an unknown number. */
export const offlineMethodName = (method: number | null): string => offlineMethods[method as OfflineMethod] ?? '';

/** The effects of a mark, as text for both parties. */
export const OFFLINE_MEANING =
  '这只是交付方式的记录：货款照样由平台托管，必做步骤、验收时间和申诉都不变。属实的，评价不计入卖家的评分与等级，因为平台看不到线下的交付。';
