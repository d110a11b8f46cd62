/** One message as a carrier brings it: where it stands in our own history, and what a device shows of it. */
export interface ImMessage {
  groupId: string;
  seq: number;
  /** Who speaks: a member's imUid, or 'system'. */
  sender: string;
  kind: 'text' | 'image' | 'card' | 'recall';
  text: string;
  imageUri?: string | undefined;
  expansion: Record<string, string> | null;
}

/** What passes: somebody types, or has read further. What was read is asked of us, so that nobody can make it up. */
export interface ImHint {
  groupId: string;
  sender: string;
  kind: 'typing' | 'read';
}

/**
 * What a carrier tells of somebody on its own clients: a message they wrote, or that they type. `uid` is the carrier's number of the message;
 * the same again is the same message.
 */
export type ImProviderNotice = { sender: string; groupId: string } & (
  | { kind: 'text'; uid: string; text: string }
  | { kind: 'typing' }
);

/**
 * A messaging service that brings chat messages to people's devices in the place of our own gateway. History, numbers, membership and
 * masking stay ours: what it carries is a copy, and a lost one is repaired by the client's next look. Called after the commit, never
 * inside a transaction.
 */
export interface ImProvider {
  readonly name: string;
  /** What the browser's SDK starts with. */
  readonly appKey: string;
  /** Codes of the distributors whose people use it; '*' stands for all. */
  readonly dists: readonly string[];
  /** A token with which one person connects. Throws ImProviderError. */
  token(person: { imUid: string; name: string; portrait: string }): Promise<string>;
  /** Makes the group if it is not there, with these members in it. Throws ImProviderError. */
  putGroup(groupId: string, name: string, members: readonly string[]): Promise<void>;
  quitGroup(groupId: string, members: readonly string[]): Promise<void>;
  publish(message: ImMessage): Promise<void>;
  /** Hints that somebody types, or has read on: kept and counted nowhere. */
  hint(mark: ImHint): Promise<void>;
  /** What a callback says: undefined when it is not genuine, null when it is nothing of interest (our own copy, another kind). */
  readNotice(query: Record<string, string>, form: Record<string, string>): ImProviderNotice | null | undefined;
}

/** A call that the carrier refused (its code) or that did not get through (0). */
export class ImProviderError extends Error {
  override name = 'ImProviderError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
