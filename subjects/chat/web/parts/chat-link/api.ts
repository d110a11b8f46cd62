import type { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import type { Data, Input } from '#contract/endpoint.ts';
import type { history, isOfflineRemind, searchGroup } from '#subjects/chat/contract/im.ts';
import type { GroupInfo } from './group.ts';
import type { LinkLike, LinkOptions, Ticket } from './link.ts';

/** The calls used in addition to the socket; users and staff have their own. They throw ApiFailure. */
export interface ChatApi {
  ticket(): Promise<Ticket>;
  /** Opens another connection than our own socket. */
  connect?(options: LinkOptions): LinkLike;
  info(groupId: string): Promise<GroupInfo>;
  history(groupId: string, before: number | null, count?: number): Promise<Data<typeof history>>;
  search(groupId: string, keyWord: string, before: number | null): Promise<Data<typeof searchGroup>>;
  upload(file: File): Promise<{ key: string }>;
  /** Reminds an absent partner; not available to staff. */
  remind?(groupId: string): Promise<Data<typeof isOfflineRemind>>;
  mute?(groupId: string, muted: boolean): Promise<{ muted: boolean }>;
  /** The viewer's rating of customer service. */
  rate?(rating: Input<typeof serSatiEval>): Promise<unknown>;
}
