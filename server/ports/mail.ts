/**
 * Sends one plain-text mail. Adapters do not retry by themselves: a delayed code would arrive twice. They throw only when it is
 * certain that nothing was sent.
 */
export interface Mail {
  /** Name of the adapter, for the self-check. */
  readonly name?: string;
  /** `code` is empty in a notice; `ref`, our own number, becomes the Message-ID, so that a repeat is recognised. */
  send(message: { to: string; subject: string; text: string; code: string; ref?: string }): Promise<void>;
  /** The last mails, newest first; only in the local adapter, for the demo market's self-check page. */
  recent?(): { to: string; code: string; subject: string; text: string; at: Date }[];
}
