import { pushReason } from '../rules/link-push.ts';
import type { Context } from '#server/context.ts';
import { UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';

/** Where a token is stored, as bound to its cipher text. */
export const pushTokenLocation = (distId: number): string => `link_push_site.token_enc:${distId}`;

/** The site of a brand as a search engine knows it: its primary host. Undefined for a brand that customers cannot open. */
export function siteOrigin({ dir }: Pick<Context, 'dir'>, distId: number): string | undefined {
  if (!dir.byId(distId)) return undefined;
  const origin = dir.originOf(distId);
  // A brand without a host has the platform's origin.
  return dir.byHost(new URL(origin).hostname)?.id === distId || distId === dir.platform().id ? origin : undefined;
}

/** Why nothing was accepted, as text for staff. Rethrows errors that are not the vendor's. */
export function failureText(error: unknown): string {
  if (error instanceof VendorRejected) return pushReason(error.vendorCode);
  if (error instanceof VendorUnavailable) return '连不上百度，稍后会自动重试';
  if (error instanceof UnknownResult) return '百度没有给出可读的答复，稍后会自动重试';
  throw error;
}

/** The text shown next to accepted URLs when some were rejected; null when none were. */
export const refusedText = (count: number): string | null =>
  count === 0 ? null : `百度没有接受其中 ${count} 个网址：不属于这个站点，或格式不对`;
