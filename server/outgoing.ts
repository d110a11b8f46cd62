/** Everything sent out through vendors. Each call first checks whether the market is in quarantine (server/jobs/quarantine.ts). */
import type { Db } from './db/client.ts';
import { requireReleased } from './jobs/quarantine.ts';
import type { ImProvider } from './ports/im.ts';
import type { LinkPush } from './ports/link-push.ts';
import type { Mail } from './ports/mail.ts';
import type { OfficialAccount } from './ports/official-account.ts';
import type { PayChannel } from './ports/pay.ts';
import type { Push } from './ports/push.ts';
import type { RemotePictures } from './ports/remote-pictures.ts';
import type { Sms } from './ports/sms.ts';
import type { Webhooks } from './ports/webhooks.ts';

/** The part of a context that sends anything out. */
interface Outgoing {
  readonly db: Db;
  readonly imProvider: ImProvider | undefined;
  readonly sms: Sms | undefined;
  readonly mail: Mail | undefined;
  readonly push: Push;
  readonly webhooks: Webhooks;
  readonly remotePictures: RemotePictures;
  readonly officialAccount: OfficialAccount | undefined;
  readonly linkPush: LinkPush | undefined;
  readonly pay: ReadonlyMap<string, PayChannel>;
}

type Method = (...args: never[]) => Promise<unknown>;

/** The port with a quarantine check on some of its methods; all others are unchanged. */
function asking<T extends object>(port: T, names: readonly (keyof T & string)[], ask: () => Promise<void>): T {
  return new Proxy(port, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (!(names as readonly (string | symbol)[]).includes(name)) return value.bind(target) as unknown;
      return async (...args: never[]) => {
        await ask();
        return await (value as Method).apply(target, args);
      };
    },
  });
}

/**
 * The context whose SMS, mails, pushes, webhooks, submitted pages, fetched pictures, messages, copies of chats, payments, refunds and payouts throw QUARANTINE while a restored market
 * waits for staff. Mere queries to a vendor (states, statements, signatures) are allowed; a token of the chat provider is not, since
 * it identifies the user to the provider.
 */
export function heldInQuarantine<C extends Outgoing>(ctx: C): C {
  const ask = async (): Promise<void> => await requireReleased(ctx.db);
  return {
    ...ctx,
    imProvider: ctx.imProvider && asking(ctx.imProvider, ['token', 'putGroup', 'quitGroup', 'publish', 'hint'], ask),
    sms: ctx.sms && asking(ctx.sms, ['send'], ask),
    mail: ctx.mail && asking(ctx.mail, ['send'], ask),
    push: asking(ctx.push, ['send'], ask),
    webhooks: asking(ctx.webhooks, ['send'], ask),
    remotePictures: asking(ctx.remotePictures, ['fetch'], ask),
    officialAccount: ctx.officialAccount && asking(ctx.officialAccount, ['send'], ask),
    linkPush: ctx.linkPush && asking(ctx.linkPush, ['submit'], ask),
    pay: new Map(
      [...ctx.pay].map(([name, channel]) => [name, asking(channel, ['create', 'close', 'refund', 'payout'], ask)]),
    ),
  };
}
