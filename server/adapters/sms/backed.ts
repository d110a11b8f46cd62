import { UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import type { Vendor } from '#server/kernel/vendors.ts';
import type { Delivery } from '#server/ports/delivery.ts';
import type { Sms, SmsMessage } from '#server/ports/sms.ts';

/** An SMS vendor with its circuit breaker. */
export interface SmsRoute {
  sms: Sms;
  vendor: Vendor;
}

/** Whether another vendor may send the message: the first vendor sent nothing, and the receiver was not the reason. */
function maySwitch(error: unknown): boolean {
  if (error instanceof VendorRejected) return error.kind === 'account' || error.kind === 'busy';
  return error instanceof VendorUnavailable;
}

/**
 * Sends through the first usable route. The next one is tried only when it is certain that nothing was sent, and not when the vendor
 * rejects the receiver, whose limits apply at every vendor. A lost response ends as 'unknown'.
 */
export function backedSms(routes: readonly SmsRoute[]): Sms {
  const able = (message: SmsMessage): readonly SmsRoute[] => {
    const fit = routes.filter(({ sms }) => message.code !== '' || sms.carries?.(message.purpose) !== false);
    return fit.length > 0 ? fit : routes;
  };
  return {
    name: routes.map(({ sms }) => sms.name).join('、'),
    carries: (kind) => routes.some(({ sms }) => sms.carries?.(kind) !== false),
    async send(message): Promise<Delivery> {
      let failure: unknown;
      for (const { sms, vendor } of able(message)) {
        try {
          return await vendor.run('send', () => sms.send(message));
        } catch (error) {
          failure = error;
          if (!maySwitch(error)) break;
        }
      }
      if (failure instanceof UnknownResult && !(failure instanceof VendorUnavailable)) return 'unknown';
      throw failure;
    },
  };
}
