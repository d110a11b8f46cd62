/** Sends one code to one phone. Adapters retry nothing by themselves: a message that was accepted late would arrive twice. */
export interface Sms {
  /** What answers behind the port, for the self-check. */
  readonly name?: string;
  send(message: { phone: string; code: string; purpose: string; site: string }): Promise<void>;
  /** The last messages, newest first; only the local adapter has them, for the self-check page of the demo market. */
  recent?(): { phone: string; code: string; purpose: string; at: Date }[];
}
