import { SwitchStatus, PublicationStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { distConf } from '#subjects/distributors/contract/dist.ts';
import type { SettingKey, SettingValue } from '#subjects/settings/contract/setting-values.ts';
import type { Db } from '#server/db/client.ts';
import type { Bus } from '#server/ports/bus.ts';
import { openReloaded } from '#server/directory/reloaded.ts';
import { type GuaranteeTier, loadTimed } from './directory-timed.ts';

export type { GuaranteeTier } from './directory-timed.ts';

/** A distributor with its public configuration. */
export interface Distributor {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly games: readonly number[] | null;
  /** The brand's mark-up on a listing's price, which it receives in full, in basis points, currently in force. */
  readonly markUpBp: number;
  /** The brand's share of the platform's fees, in basis points, currently in force. */
  readonly commissionBp: number;
  readonly conf: z.output<typeof distConf>;
}

/**
 * The platform's fees with the brand's mark-up added to the buyer's fee. For listings; quick coin, private deals
 * and services have no mark-up (docs/decisions/244).
 */
export function siteFees(dir: Pick<Directory, 'setting'>, dist: Pick<Distributor, 'markUpBp'>): SettingValue<'fees'> {
  const fees = dir.setting('fees');
  return { ...fees, buyerBp: fees.buyerBp + dist.markUpBp };
}

/** The default message of a suspended site. */
const SUSPENDED = '本站暂停接单。已下的订单照常交付、确认和售后，余额可以提现。';

interface Row {
  id: number;
  code: string;
  name: string;
  games: number[] | null;
  mark_up_bp: number;
  commission_bp: number;
  conf: Record<string, unknown>;
  theme: Record<string, unknown>;
  hosts: string[];
  suspended: boolean;
  suspend_notice: string;
  /** The hosts whose pages redirect to the primary one, which is the first. */
  redirects: string[];
  /** Ordered by start; among equal starts the newest is last. */
  terms: { starts: number; markUpBp: number; commissionBp: number }[];
}

/** Distributors by host and the settings, in memory; reloaded when the bus reports a change. */
export interface Directory {
  byHost(host: string): Distributor | undefined;
  byId(id: number): Distributor | undefined;
  /** The host to which the pages of a host redirect; undefined if it has its own pages. */
  redirectTarget(host: string): string | undefined;
  platform(): Distributor;
  all(): readonly Distributor[];
  /** Scheme, host and port of a distributor's site, for links in messages. */
  originOf(id: number): string;
  /** Adverts shown on a site now that are not specific to one game, by position (product.md 3, adverPosMap). */
  adverts(distId: number): z.output<typeof distConf>['adverPosMap'];
  /** The value of a setting in force now. Throws if it is not in the database. */
  setting<K extends SettingKey>(key: K): SettingValue<K>;
  /** The guarantees on offer, in display order. */
  tiers(): readonly GuaranteeTier[];
  reload(): Promise<void>;
  /** Stops following the database. */
  close(): Promise<void>;
}

interface Advert {
  distId: number | null;
  position: string;
  starts: number;
  ends: number | null;
  item: z.output<typeof distConf>['adverPosMap'][string][number];
}

/** The current adverts of a site, by position. */
function advertsNow(adverts: readonly Advert[], distId: number): z.output<typeof distConf>['adverPosMap'] {
  const now = Date.now();
  const visible = adverts.filter(
    (a) => (a.distId === null || a.distId === distId) && a.starts <= now && (a.ends === null || a.ends > now),
  );
  return Object.fromEntries(
    [...Map.groupBy(visible, ({ position }) => position)].map(([position, list]) => [
      position,
      list.map(({ item }) => item),
    ]),
  );
}

/** The terms in force. */
const termsNow = ({ terms }: Row): Row['terms'][number] | undefined =>
  terms.findLast(({ starts }) => starts <= Date.now());

async function load(db: Db) {
  const { rows } = await sql<Row>`
    select d.id, d.code, d.name, d.games, d.mark_up_bp, d.commission_bp, d.conf, d.theme, d.suspended_at is not null as suspended, d.suspend_notice,
      coalesce(array_agg(h.host order by h.is_primary desc, h.created_at, h.host) filter (where h.host is not null), '{}') as hosts,
      coalesce(array_agg(h.host) filter (where h.redirects), '{}') as redirects,
      coalesce((select jsonb_agg(jsonb_build_object('starts', extract(epoch from t.starts_at) * 1000, 'markUpBp', t.mark_up_bp,
        'commissionBp', t.commission_bp) order by t.starts_at, t.version) from brand_terms t where t.dist_id = d.id), '[]') as terms
    from distributor d left join dist_host h on h.dist_id = d.id where d.status = ${sql.lit(SwitchStatus.On)} group by d.id order by d.id`.execute(
    db,
  );
  const adverts = await sql<Advert>`
    select dist_id as "distId", position, (extract(epoch from starts_at) * 1000)::float8 as starts,
      (extract(epoch from ends_at) * 1000)::float8 as ends,
      jsonb_build_object('device', device, 'smalltitle', small_title, 'htUrl', ht_url, 'title', title, 'remind', remind)
        || case when picture_key is null then '{}' else jsonb_build_object('picture', '/img/' || picture_key) end as item
    from advert where status = ${sql.lit(PublicationStatus.Published)} and game_id is null and (ends_at is null or ends_at > now()) order by sort, id`.execute(
    db,
  );
  const byHost = new Map<string, Distributor>();
  const byId = new Map<number, Distributor>();
  const leads = new Map<string, string>();
  for (const row of rows) {
    const conf = distConf.parse({
      ...row.conf,
      theme: row.theme,
      distId: row.id,
      distCode: row.code,
      suspendNotice: row.suspended ? row.suspend_notice || SUSPENDED : undefined,
    });
    const dist: Distributor = {
      id: row.id,
      code: row.code,
      name: row.name,
      games: row.games,
      // Terms take effect automatically, so the clock is read each time.
      get markUpBp() {
        return termsNow(row)?.markUpBp ?? row.mark_up_bp;
      },
      get commissionBp() {
        return termsNow(row)?.commissionBp ?? row.commission_bp;
      },
      conf,
    };
    byId.set(row.id, dist);
    for (const host of row.hosts) byHost.set(host, dist);
    const [primary] = row.hosts;
    for (const host of row.redirects) if (primary !== undefined && primary !== host) leads.set(host, primary);
  }
  return { byHost, byId, leads, timed: await loadTimed(db), adverts: adverts.rows };
}

/** Loads the directory and reloads it on the bus channel `conf`, and when messages on it may have been lost. */
export async function openDirectory(ctx: { db: Db; bus: Bus; log: Logger; siteUrl: string }): Promise<Directory> {
  const reloaded = await openReloaded(ctx, { channel: 'conf', what: 'configuration', load: () => load(ctx.db) });
  return {
    byHost: (host) => reloaded.current().byHost.get(host),
    byId: (id) => reloaded.current().byId.get(id),
    redirectTarget: (host) => reloaded.current().leads.get(host),
    platform() {
      const first = reloaded.current().byId.get(1);
      if (!first) throw new Error('the platform distributor (id 1) is missing; run the seed or create it');
      return first;
    },
    all: () => [...reloaded.current().byId.values()],
    originOf(id) {
      const site = new URL(ctx.siteUrl);
      const host = [...reloaded.current().byHost].find(([, dist]) => dist.id === id)?.[0];
      if (id !== 1 && host !== undefined) site.hostname = host;
      return site.origin;
    },
    adverts: (distId) => advertsNow(reloaded.current().adverts, distId),
    setting(key) {
      const value = reloaded.current().timed.setting(key);
      if (value === undefined) throw new Error(`setting ${key} is missing`);
      return value;
    },
    tiers: () => reloaded.current().timed.tiers(),
    reload: () => reloaded.reload(),
    close: () => reloaded.close(),
  };
}
