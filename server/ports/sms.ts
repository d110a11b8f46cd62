import type { Delivery } from './delivery.ts';

/** A code or a notice for one phone. */
export interface SmsMessage {
  phone: string;
  /** Empty in a notice. */
  code: string;
  /** 'register' of a code, 'order.paid' of a notice. */
  purpose: string;
  /** Name and code of the sending brand. */
  site: string;
  siteCode: string;
  /** Title and text of a notice; a code uses a template at the vendor. */
  title?: string;
  text?: string;
  /** Number of the vendor's template for a notice; if absent, the one from the settings is used. */
  template?: string;
  /** Our number of a notice, for the vendor's records. */
  ref?: string;
}

/**
 * Sends one message to one phone. Adapters repeat nothing that may have been sent: a delayed message would arrive twice. They throw
 * VendorRejected or VendorUnavailable if it is certain that nothing was sent, and otherwise return 'unknown'.
 */
export interface Sms {
  /** Name of the adapter, for the self-check. */
  readonly name?: string;
  /** Whether notices of this kind can be sent; false where the vendor has no template for them. Absent: all can. */
  carries?(kind: string): boolean;
  send(message: SmsMessage): Promise<Delivery>;
  /** The last messages, newest first; only in the local adapter, for the demo market's self-check page. */
  recent?(): { phone: string; code: string; purpose: string; text: string; at: Date }[];
}
