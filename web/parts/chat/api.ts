import type { Data } from '#contract/endpoint.ts';
import type { history, isOfflineRemind } from '#contract/im.ts';
import type { GroupInfo } from './group.ts';
import type { Ticket } from './link.ts';

/** The calls beside the socket; users and staff have their own. They throw ApiFailure. */
export interface ChatApi {
  ticket(): Promise<Ticket>;
  info(groupId: string): Promise<GroupInfo>;
  history(groupId: string, before: number | null): Promise<Data<typeof history>>;
  upload(file: File): Promise<{ key: string }>;
  /** Reminds an absent partner; staff have none. */
  remind?(groupId: string): Promise<Data<typeof isOfflineRemind>>;
}
