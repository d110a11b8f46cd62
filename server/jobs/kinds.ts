import type { Lane } from './lanes.ts';

/** Type of a job's key: a row's id or a text. */
export type KeyType = 'number' | 'text';

export interface JobSpec<K extends KeyType = KeyType> {
  readonly lane: Lane;
  readonly key: K;
  /** Number of failed runs after which the job becomes a dead letter. */
  readonly attempts: number;
  /** Lease of a claim in seconds, renewed while the job runs; when its process dies, the job runs again after it. */
  readonly leaseSeconds: number;
  /** For a periodic job the key of its one row, which is scheduled at start and never removed. */
  readonly every: string | undefined;
}

const ATTEMPTS = 8;
const LEASE_SECONDS = 30;
/** Longer than the time limit of a call to a payment channel. */
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

/** All kinds of jobs. `schedule` (effect-writer.ts) adds one in the transaction of its change; subjects run them by `effects.timer`. */
export const JOBS = {
  'account.erase': clock('upkeep'),
  'accounts.sweep': periodic('upkeep', ''),
  'alert.daily': clock('notices'),
  'audit.nightly': periodic('upkeep', ''),
  'boost.expire': clock('market'),
  'brand.begin': clock('market'),
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
  'goods.misses': periodic('upkeep', 'all'),
  'goods.feed': periodic('vendors', 'all'),
  'goods.fold': periodic('upkeep', 'all'),
  'goods.recount': periodic('upkeep', 'all'),
  'goods.references': named('upkeep'),
  'goods.reprice': named('upkeep'),
  'goods.stats': periodic('upkeep', 'all'),
  'guarantee.daily': periodic('upkeep', 'all'),
  'guarantee.look': clock('market'),
  'guarantee.pay': clock('market'),
  'hold.release': clock('market'),
  'import.run': clock('upkeep'),
  'inspection.due': clock('market'),
  'inspection.expire': periodic('upkeep', 'all'),
  'linkPush.send': clock('vendors'),
  'listingImport.fetch': clock('pictures'),
  'listingImport.run': clock('upkeep'),
  'ledger.nightly': periodic('upkeep', ''),
  'ledger.prove': periodic('upkeep', 'all'),
  'level.nightly': periodic('upkeep', ''),
  'media.sweep': periodic('upkeep', 'temp'),
  'middleman.expire': named('market'),
  'news.begin': clock('notices'),
  'notice.late': named('notices'),
  'notice.send': named('notices'),
  'openApi.sweep': periodic('upkeep', ''),
  'order.autoConfirm': clock('market'),
  'order.days': periodic('upkeep', 'all'),
  'order.expire': clock('market'),
  'order.late': clock('market'),
  'order.lateMissing': periodic('upkeep', 'all'),
  'orders.fold': periodic('upkeep', 'all'),
  'orders.recount': periodic('upkeep', 'all'),
  'pay.recheck': clock('vendors'),
  'pay.watch': clock('vendors'),
  'payment.decide': periodic('market', 'all'),
  'quickCoin.away': periodic('upkeep', 'all'),
  'quickCoin.ratio': periodic('upkeep', 'all'),
  'recycle.due': clock('market'),
  'recycle.dueMissing': periodic('upkeep', 'all'),
  'recycle.takeOver': clock('market'),
  'reconcile.fetch': periodic('vendors', 'all'),
  'refund.send': clock('vendors'),
  'retention.sweep': periodic('upkeep', 'all'),
  'service.account': clock('market'),
  'service.accept': clock('market'),
  'service.cancelAnswer': clock('market'),
  'service.endFinal': clock('market'),
  'service.late': clock('market'),
  'service.milestone': clock('market'),
  'service.noShow': clock('market'),
  'service.playEnd': clock('market'),
  'service.proof': clock('market'),
  'service.resume': clock('market'),
  'service.tip': clock('market'),
  'setting.begin': named('market'),
  'trust.sweep': periodic('upkeep', ''),
  'valuation.nightly': periodic('upkeep', ''),
  'webhook.send': clock('webhooks'),
  'withdraw.pay': clock('vendors'),
  'withdraw.recheck': clock('vendors'),
} as const satisfies Readonly<Record<string, JobSpec>>;

export type Job = keyof typeof JOBS;
export type JobKey<J extends Job> = (typeof JOBS)[J]['key'] extends 'number' ? number : string;
