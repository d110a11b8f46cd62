/** WeChat's report about a follower; 'other' is acknowledged and has no effect. */
export type AccountPush =
  | { kind: 'follow'; openId: string; scene: string }
  | { kind: 'unfollow'; openId: string }
  | { kind: 'other' };

/** A request of WeChat's servers to our address for pushes. */
export interface PushRequest {
  query: Readonly<Record<string, string | undefined>>;
  body: string;
}

/** The WeChat official account: users follow it by scanning a QR code, and it sends messages to followers. */
export interface OfficialAccount {
  /** Name of the adapter, for the self-check. */
  readonly name: string;
  /** The account's name as shown by WeChat. */
  readonly title: string;
  /** Following is simulated on one of our pages instead of in WeChat. */
  readonly played: boolean;
  /** Content of the general QR code. */
  followUrl(origin: string): string;
  /** Content of a QR code whose follower is reported with `scene`. */
  sceneUrl(request: { scene: string; origin: string; lifeSeconds: number }): Promise<string>;
  /**
   * Sends a message to a follower; the same `ref` is delivered once. 'gone' when they no longer follow, 'refused' when they have not
   * allowed messages of this kind. Throws when it should be retried.
   */
  send(message: {
    openId: string;
    title: string;
    body: string;
    url: string;
    ref: string;
  }): Promise<'sent' | 'gone' | 'refused'>;
  /** The account's id and its ticket for pages that use WeChat's JS-SDK, shared by all processes. Absent if WeChat is simulated. */
  pageTicket?(): Promise<{ appId: string; ticket: string }>;
  /** The content of a push from WeChat; undefined when it is not genuine. Absent if following is simulated. */
  receive?(request: PushRequest): AccountPush | undefined;
  /** Whether a request to confirm our address is WeChat's. */
  confirms?(query: PushRequest['query']): boolean;
  /** The last messages, newest first; only in the local adapter, for the demo market's self-check page. */
  recent?(): { to: string; text: string; at: Date }[];
}
