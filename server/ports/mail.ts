/**
 * Sends one mail of plain text. Adapters retry nothing by themselves: a code that was accepted late would arrive twice. They throw
 * only when it is certain that nothing was sent.
 */
export interface Mail {
  /** What answers behind the port, for the self-check. */
  readonly name?: string;
  /** `code` is empty in a notice; `ref`, our number of it, becomes the Message-ID, so that a repeat is known as one. */
  send(message: { to: string; subject: string; text: string; code: string; ref?: string }): Promise<void>;
  /** The last mails, newest first; only the local adapter has them, for the self-check page of the demo market. */
  recent?(): { to: string; code: string; subject: string; text: string; at: Date }[];
}
