import type { Context } from '#server/context.ts';
import { deliverToProvider } from './im-provider.ts';

/** The bus channel of the chat. Events name what happened; subscribers read the content from the database. */
const CHANNEL = 'chat';

/** `to`: the members concerned, so that a gateway without any of them does nothing; `left`: those of them who have just left. */
export type ChatEvent =
  | { kind: 'msg'; groupId: number; seq: number; to: string[] }
  | { kind: 'typing'; groupId: number; from: string; to: string[] }
  | { kind: 'read'; groupId: number; from: string; seq: number; to: string[] }
  | { kind: 'group'; groupId: number; to: string[]; left: string[] }
  | { kind: 'notice'; to: string[] };

/** Publishes an event to every gateway, and to the IM provider if there is one; called after the transaction. Clients recover a lost event by their next sync. */
export function publish(ctx: Context, event: ChatEvent): void {
  ctx.bus.publish(CHANNEL, { ...event });
  deliverToProvider(ctx, event);
}

/** Subscribes to the events of `publish`, from this process and others. Returns the function that unsubscribes. */
export function subscribe(ctx: Pick<Context, 'bus'>, listener: (event: ChatEvent) => void): () => void {
  // Only `publish` writes to the channel.
  return ctx.bus.subscribe(CHANNEL, (message) => listener(message as unknown as ChatEvent));
}
