/** A code for one phone, or a notice in words. */
export interface SmsMessage {
  phone: string;
  /** Empty in a notice. */
  code: string;
  purpose: string;
  site: string;
  /** The sentence of a notice; a code has a text of its own at the vendor. */
  text?: string;
  /** Our number of a notice, for the vendor's records. */
  ref?: string;
}

/**
 * Sends one message to one phone. Adapters retry nothing by themselves: a message that was accepted late would arrive twice. They
 * throw only when it is certain that nothing was sent; an answer that never comes counts as sent.
 */
export interface Sms {
  /** What answers behind the port, for the self-check. */
  readonly name?: string;
  send(message: SmsMessage): Promise<void>;
  /** The last messages, newest first; only the local adapter has them, for the self-check page of the demo market. */
  recent?(): { phone: string; code: string; purpose: string; text: string; at: Date }[];
}
