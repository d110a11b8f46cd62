/** A browser's push subscription. */
export interface PushTarget {
  endpoint: string;
  /** Base64url: the browser's point on P-256, and its secret of 16 bytes. */
  p256dh: string;
  auth: string;
}

/** Sends push messages to browsers. A message with the same `tag` replaces the previous one on the screen. */
export interface Push {
  readonly name: string;
  /** Base64url of our own point on P-256. */
  readonly publicKey: string;
  /** Whether the URL belongs to a known push service of a browser; no other URL is ever requested. */
  accepts(endpoint: string): boolean;
  /** 'gone' when the subscription has ended. Throws when it should be retried. */
  send(
    target: PushTarget,
    message: { title: string; body: string; url: string; tag: string },
  ): Promise<'sent' | 'gone'>;
}
