/** Sends one mail of plain text. Adapters retry nothing by themselves: a code that was accepted late would arrive twice. */
export interface Mail {
  /** What answers behind the port, for the self-check. */
  readonly name?: string;
  send(message: { to: string; subject: string; text: string; code: string }): Promise<void>;
  /** The last mails, newest first; only the local adapter has them, for the self-check page of the demo market. */
  recent?(): { to: string; code: string; at: Date }[];
}
