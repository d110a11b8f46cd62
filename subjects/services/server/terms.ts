import type { SettingValue } from '#subjects/settings/contract/setting-values.ts';
import { COMPANION_PLAY } from '#subjects/orders/rules/order-types.ts';
import type { Context } from '#server/context.ts';
import type { ProviderKind } from '#subjects/providers/server/service.ts';
import type { ServiceMode } from './queries.ts';

/** The clocks of companion play as they are now. */
export const companionSetting = (ctx: Context): SettingValue<'companion'> => ctx.dir.setting('companion');

/** Minimum time for accepting an order. */
const MIN_ACCEPT_SECONDS = 300;

/**
 * The time in which an order of a service is accepted, in seconds; a booked hour can be accepted for longer, up to that
 * hour.
 */
export function acceptSecondsOf(ctx: Context, order: { typeId: number; bookedAt?: Date | null }): number {
  if (order.typeId !== COMPANION_PLAY) return ctx.dir.setting('boosting').acceptSeconds;
  const { acceptSeconds, bookAcceptSeconds } = companionSetting(ctx);
  if (!order.bookedAt) return acceptSeconds;
  const left = Math.round((order.bookedAt.getTime() - Date.now()) / 1000);
  return Math.min(bookAcceptSeconds, Math.max(MIN_ACCEPT_SECONDS, left));
}

const MODE_NAMES: Readonly<Record<ServiceMode, string>> = {
  account: '上号代打',
  together: '组队陪打',
  online: '线上指导',
};

const COMPANION_MODE_NAMES: Readonly<Record<ServiceMode, string>> = {
  ...MODE_NAMES,
  together: '一起组队',
  online: '语音指导',
};

export const modeName = (mode: ServiceMode, typeId: number): string =>
  (typeId === COMPANION_PLAY ? COMPANION_MODE_NAMES : MODE_NAMES)[mode];

/** When the promised time of a boosting order starts to count, as text. */
export const beginText = (mode: ServiceMode): string => (mode === 'account' ? '接单且提交账号' : '接单且双方到场');

/** The provider's role for a type of service. */
export const kindOf = (typeId: number): ProviderKind => (typeId === COMPANION_PLAY ? 'companion' : 'booster');
