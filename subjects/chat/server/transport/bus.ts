import type { Context } from '#server/context.ts';
import type { ChatEvent } from './events.ts';
import { deliverToProvider } from './im-provider.ts';

/** The bus channel of the chat. Events contain only references; subscribers read the content from the database. */
const CHANNEL = 'chat';

/**
 * Publishes an event to every gateway, and to the IM provider if there is one; called after the transaction. Clients
 * recover a lost event by their next sync.
 */
export function publish(ctx: Context, event: ChatEvent): void {
  ctx.bus.publish(CHANNEL, { ...event });
  deliverToProvider(ctx, event);
}

/** Subscribes to the events of `publish`, from this process and others. Returns the function that unsubscribes. */
export function subscribe(ctx: Pick<Context, 'bus'>, listener: (event: ChatEvent) => void): () => void {
  // Only `publish` writes to the channel.
  return ctx.bus.subscribe(CHANNEL, (message) => listener(message as unknown as ChatEvent));
}
