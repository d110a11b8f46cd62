/** One event as sent to a seller's address. */
export interface OutgoingEvent {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The outcome of a delivery. `failure` explains why there is no response; `retryAfterSeconds` is the delay requested by the receiver. */
export type EventOutcome =
  | { status: number; head: string; failure: undefined; retryAfterSeconds?: number | undefined }
  | { status: undefined; head: string; failure: string };

/** Sends events to sellers' addresses, and never to anything inside our network. */
export interface Webhooks {
  /** Why an address is rejected, as text for its owner; undefined if it is accepted. */
  problemOf(url: string): string | undefined;
  /** Sends once. Never throws for an error of the receiver. */
  send(event: OutgoingEvent): Promise<EventOutcome>;
}
