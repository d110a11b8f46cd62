/** The WeChat official account: people follow it by a QR of their own, and it writes to its followers. */
export interface OfficialAccount {
  /** What answers behind the port, for the self-check. */
  readonly name: string;
  /** The account's name as WeChat shows it. */
  readonly title: string;
  /** Following is played on a page of ours instead of in WeChat. */
  readonly played: boolean;
  /** What the QR for everybody holds. */
  followUrl(origin: string): string;
  /** What a QR holds whose follower comes back with `scene`. */
  sceneUrl(request: { scene: string; origin: string; lifeSeconds: number }): Promise<string>;
  /** Writes to a follower; the same `ref` again arrives once. 'gone' when they follow no longer. Throws when it should be tried again. */
  send(message: { openId: string; title: string; body: string; url: string; ref: string }): Promise<'sent' | 'gone'>;
  /** The last messages, newest first; only the local adapter has them, for the self-check page of the demo market. */
  recent?(): { to: string; text: string; at: Date }[];
}
