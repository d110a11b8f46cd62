import type { Delivery } from './delivery.ts';

/** A plain-text mail; `code` is empty in a notice. */
export interface MailMessage {
  to: string;
  subject: string;
  text: string;
  code: string;
  /** Name of the sending brand. */
  site?: string;
  /** Unsubscribe address that a mail program can call in one click (RFC 8058); absent for mails that cannot be unsubscribed. */
  unsubscribe?: string | undefined;
  /** Our own number; becomes the Message-ID, so that a repeat is recognised. */
  ref?: string;
}

/**
 * Sends one mail. Adapters repeat nothing that may have been sent: a delayed code would arrive twice. They throw VendorRejected or
 * VendorUnavailable if it is certain that nothing was sent, and otherwise return 'unknown'.
 */
export interface Mail {
  /** Name of the adapter, for the self-check. */
  readonly name?: string;
  send(message: MailMessage): Promise<Delivery>;
  /** The last mails, newest first; only in the local adapter, for the demo market's self-check page. */
  recent?(): { to: string; code: string; subject: string; text: string; at: Date }[];
}
