/** Chooses the payout method for a kind of account, for the page of payees, for withdrawals and for their approval. */
import { BANK_LIST, type PayoutKind } from '#subjects/payments/rules/payout-methods.ts';
import type { PayConfig } from './config/config-pay.ts';
import type { PayChannel } from './ports/pay.ts';

/** The part of the context that this depends on. */
interface Environment {
  readonly config: { readonly pay: Pick<PayConfig, 'payoutWays'> };
  readonly pay: ReadonlyMap<string, PayChannel>;
}

/** A channel that is called, or (undefined) the list that finance takes to the bank. */
export interface PayoutMethod {
  readonly name: string;
  readonly channel: PayChannel | undefined;
}

const LIST: PayoutMethod = { name: BANK_LIST, channel: undefined };

/**
 * The payout method for a kind of account: a real channel if one supports it, else the list for bank cards, else the sandbox. PAYOUT_WAYS names the
 * enabled kinds; without it, bank cards are paid by list only if no real channel pays out, as in the demo. Undefined when the kind
 * is disabled.
 */
export function payoutMethod({ config, pay }: Environment, kind: PayoutKind): PayoutMethod | undefined {
  const set = config.pay.payoutWays;
  if (set !== undefined && !set.includes(kind)) return undefined;
  const real = [...pay.values()].filter(({ name, payoutKinds }) => name !== 'sandbox' && payoutKinds.length > 0);
  const channel = real.find(({ payoutKinds }) => payoutKinds.includes(kind));
  if (channel) return { name: channel.name, channel };
  const sandbox = pay.get('sandbox');
  if (kind === 'bank' && (set !== undefined || real.length === 0)) return LIST;
  return sandbox?.payoutKinds.includes(kind) === true ? { name: sandbox.name, channel: sandbox } : undefined;
}

/** The channel whose payees are WeChat accounts bound to ours instead of typed names; undefined if there is none. */
export function boundPayees(environment: Environment): PayChannel | undefined {
  const channel = payoutMethod(environment, 'wechat')?.channel;
  return channel?.payerAppId === undefined ? undefined : channel;
}
