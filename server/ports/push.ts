/** A browser that may be pushed to, as it introduced itself. */
export interface PushTarget {
  endpoint: string;
  /** Base64url: the browser's point on P-256, and its secret of 16 bytes. */
  p256dh: string;
  auth: string;
}

/** Pushes to browsers. A message repeated under the same `tag` takes the place of the first one on the screen. */
export interface Push {
  readonly name: string;
  /** Base64url of our own point on P-256. */
  readonly publicKey: string;
  /** Whether a push service that browsers really use stands behind an address: nothing else is ever asked. */
  accepts(endpoint: string): boolean;
  /** 'gone' when the browser no longer wants it. Throws when it should be tried again. */
  send(
    target: PushTarget,
    message: { title: string; body: string; url: string; tag: string },
  ): Promise<'sent' | 'gone'>;
}
