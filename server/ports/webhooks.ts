/** One event as it is sent to an address that a seller named. */
export interface OutgoingEvent {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** The outcome of a delivery. `failure` is why there is no response; `retryAfterSeconds` is the receiver's own wish for the next attempt. */
export type EventOutcome =
  | { status: number; head: string; failure: undefined; retryAfterSeconds?: number | undefined }
  | { status: undefined; head: string; failure: string };

/** Sends events to addresses of sellers, and never to anything inside our network. */
export interface Webhooks {
  /** Why an address is not accepted, as text for its owner; undefined when it is. */
  problemOf(url: string): string | undefined;
  /** Sends once. Never throws for an error of the receiver. */
  send(event: OutgoingEvent): Promise<EventOutcome>;
}
