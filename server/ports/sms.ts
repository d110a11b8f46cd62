/** A code or a notice for one phone. */
export interface SmsMessage {
  phone: string;
  /** Empty in a notice. */
  code: string;
  purpose: string;
  site: string;
  /** Text of a notice; a code uses a template at the vendor. */
  text?: string;
  /** Our number of a notice, for the vendor's records. */
  ref?: string;
}

/**
 * Sends one message to one phone. Adapters do not retry by themselves: a delayed message would arrive twice. They throw only when it
 * is certain that nothing was sent; a missing response counts as sent.
 */
export interface Sms {
  /** Name of the adapter, for the self-check. */
  readonly name?: string;
  send(message: SmsMessage): Promise<void>;
  /** The last messages, newest first; only in the local adapter, for the demo market's self-check page. */
  recent?(): { phone: string; code: string; purpose: string; text: string; at: Date }[];
}
