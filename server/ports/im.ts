/** One message as delivered by a provider: its position in our own history, and what a device shows. */
export interface ImMessage {
  groupId: string;
  seq: number;
  /** The sender: a member's imUid, or 'system'. */
  sender: string;
  kind: 'text' | 'image' | 'card' | 'recall';
  text: string;
  imageUri?: string | undefined;
  expansion: Record<string, string> | null;
}

/** A transient hint: a member is typing, or has read further. The read position is queried from us, so that it cannot be forged. */
export interface ImHint {
  groupId: string;
  sender: string;
  kind: 'typing' | 'read';
}

/**
 * What a provider reports about a user of its own clients: a message they wrote, or that they are typing. `uid` identifies the message
 * at the provider; repeats have the same one.
 */
export type ImProviderNotice = { sender: string; groupId: string } & (
  | { kind: 'text'; uid: string; text: string }
  | { kind: 'typing' }
);

/**
 * A messaging service that delivers chat messages to devices instead of our own gateway. History, numbering, membership and masking
 * remain ours: it delivers copies, and a lost one is repaired by the client's next fetch. Called after the commit, never inside a
 * transaction.
 */
export interface ImProvider {
  readonly name: string;
  /** The start parameters of the browser's SDK. */
  readonly appKey: string;
  /** Codes of the distributors whose users use it; '*' means all. */
  readonly dists: readonly string[];
  /** A token for one user's connection. Throws ImProviderError. */
  token(person: { imUid: string; name: string; portrait: string }): Promise<string>;
  /** Creates the group if it does not exist, with these members. Throws ImProviderError. */
  putGroup(groupId: string, name: string, members: readonly string[]): Promise<void>;
  quitGroup(groupId: string, members: readonly string[]): Promise<void>;
  publish(message: ImMessage): Promise<void>;
  /** Sends a transient hint, which is neither stored nor counted. */
  hint(mark: ImHint): Promise<void>;
  /** Parses a callback: undefined when it is not genuine, null when it is irrelevant (our own copy, another kind). */
  readNotice(query: Record<string, string>, form: Record<string, string>): ImProviderNotice | null | undefined;
}

/** A call that the provider rejected (its code) or that did not reach it (0). */
export class ImProviderError extends Error {
  override name = 'ImProviderError';
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}
