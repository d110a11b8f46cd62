import type { Context } from '#server/context.ts';
import { carry } from './carry.ts';

/** The bus channel of the chat. Messages name what happened; who needs the content reads it from the database. */
const CHANNEL = 'chat';

/** `to`: the people that it concerns, so that a gateway without any of them does nothing; `gone`: those of them who have just left. */
export type ChatEvent =
  | { kind: 'msg'; groupId: number; seq: number; to: string[] }
  | { kind: 'typing'; groupId: number; from: string; to: string[] }
  | { kind: 'read'; groupId: number; from: string; seq: number; to: string[] }
  | { kind: 'group'; groupId: number; to: string[]; gone: string[] }
  | { kind: 'notice'; to: string[] };

/** Tells every gateway, and the carrier where there is one, after the transaction. A lost one is repaired by the clients' next sync. */
export function tell(ctx: Context, news: ChatEvent): void {
  ctx.bus.publish(CHANNEL, { ...news });
  carry(ctx, news);
}

/** Hears what `tell` said, in this process and in others. Returns the way to stop. */
export function listen(ctx: Pick<Context, 'bus'>, listener: (news: ChatEvent) => void): () => void {
  // Only `tell` writes to the channel.
  return ctx.bus.subscribe(CHANNEL, (message) => listener(message as unknown as ChatEvent));
}
