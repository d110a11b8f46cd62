import type { Lane } from './lanes.ts';

/** How a job is named by its key: a row's number, or a text. */
export type KeyType = 'number' | 'text';

export interface JobSpec<K extends KeyType = KeyType> {
  readonly lane: Lane;
  readonly key: K;
  /** Runs that end with a fault of ours; after so many the job waits for staff as a dead letter. */
  readonly attempts: number;
  /** A claimed job whose process dies runs again after so long; while it runs, the claim is renewed. */
  readonly leaseSeconds: number;
  /** A periodic job: the key of its one row, which is planted at start and never ends. */
  readonly every: string | undefined;
}

const ATTEMPTS = 8;
const LEASE_SECONDS = 30;
/** Longer than a channel may take to answer. */
const VENDOR_LEASE_SECONDS = 60;

const clock = (lane: Lane, attempts = ATTEMPTS): JobSpec<'number'> => ({
  lane,
  key: 'number',
  attempts,
  leaseSeconds: lane === 'vendors' ? VENDOR_LEASE_SECONDS : LEASE_SECONDS,
  every: undefined,
});
const named = (lane: Lane): JobSpec<'text'> => ({
  lane,
  key: 'text',
  attempts: ATTEMPTS,
  leaseSeconds: LEASE_SECONDS,
  every: undefined,
});
const periodic = (lane: Lane, every: string): JobSpec<'text'> => ({
  lane,
  key: 'text',
  attempts: ATTEMPTS,
  leaseSeconds: VENDOR_LEASE_SECONDS,
  every,
});

/** Every kind of job there is. `schedule` (door.ts) sets one in the transaction of its change; the slices carry them out by `effects.timer`. */
export const JOBS = {
  'account.erase': clock('upkeep'),
  'accounts.sweep': periodic('upkeep', ''),
  'alert.daily': clock('notices'),
  'audit.nightly': periodic('upkeep', ''),
  'bargain.expire': clock('market'),
  'chat.assign': clock('market'),
  'chat.close': clock('market'),
  'chat.form': clock('market'),
  'chat.sweep': periodic('upkeep', ''),
  'coupon.expiring': periodic('upkeep', 'all'),
  'credential.sweep': periodic('upkeep', ''),
  'dataExport.make': clock('upkeep'),
  'dataExport.remove': clock('upkeep'),
  'deposit.release': clock('market'),
  'dispute.answer': clock('market'),
  'dispute.execute': clock('market'),
  'dispute.look': clock('market'),
  'dispute.rule': clock('market'),
  'freeze.end': clock('market'),
  'goods.away': periodic('upkeep', 'all'),
  'goods.stats': periodic('upkeep', 'all'),
  'guarantee.daily': periodic('upkeep', 'all'),
  'guarantee.look': clock('market'),
  'guarantee.pay': clock('market'),
  'hold.release': clock('market'),
  'import.run': clock('upkeep'),
  'ledger.nightly': periodic('upkeep', ''),
  'level.nightly': periodic('upkeep', ''),
  'media.sweep': periodic('upkeep', 'temp'),
  'middleman.expire': named('market'),
  'notice.late': named('notices'),
  'notice.send': named('notices'),
  'order.autoConfirm': clock('market'),
  'order.expire': clock('market'),
  'pay.recheck': clock('vendors'),
  'pay.watch': clock('vendors'),
  'payment.decide': periodic('market', 'all'),
  'quickCoin.away': periodic('upkeep', 'all'),
  'quickCoin.ratio': periodic('upkeep', 'all'),
  'reconcile.fetch': periodic('vendors', 'all'),
  'refund.send': clock('vendors'),
  'trust.sweep': periodic('upkeep', ''),
  'withdraw.pay': clock('vendors'),
  'withdraw.recheck': clock('vendors'),
} as const satisfies Readonly<Record<string, JobSpec>>;

export type Job = keyof typeof JOBS;
export type JobKey<J extends Job> = (typeof JOBS)[J]['key'] extends 'number' ? number : string;
