import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { z } from 'zod';
import { distConf } from '#contract/dist.ts';
import type { ReasonsTerms } from '#contract/rules/guarantee.ts';
import type { Db } from '#server/db/client.ts';
import type { Bus } from '#server/ports/bus.ts';

/** A distributor with its public configuration. */
export interface Distributor {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly games: readonly number[] | null;
  readonly commissionBp: number;
  readonly conf: z.output<typeof distConf>;
}

interface Row {
  id: number;
  code: string;
  name: string;
  games: number[] | null;
  commission_bp: number;
  conf: Record<string, unknown>;
  theme: Record<string, unknown>;
  hosts: string[];
}

/** A guarantee on offer: the only source of its price and of its cover (table guarantee_tier). Changed terms get a new id. */
export interface GuaranteeTier {
  id: number;
  kind: 'ensure' | 'fixEnsure';
  name: string;
  version: number;
  bp: number;
  minFen: number;
  /** The most that is paid in total, in basis points of the price. */
  payoutBp: number;
  chaseDays: number;
  coverText: string;
  exclusions: string[];
  /** The cover of each reason; a reason that is absent is not covered. */
  reasons: ReasonsTerms;
  /** Games it is offered for; null = every game. */
  games: number[] | null;
}

/** Distributors by host and the settings, in memory; reloaded when the bus reports a change. */
export interface Directory {
  byHost(host: string): Distributor | undefined;
  byId(id: number): Distributor | undefined;
  platform(): Distributor;
  all(): readonly Distributor[];
  /** Scheme, host and port of a distributor's site, for links in messages. */
  originOf(id: number): string;
  /** Newest value of a setting; throws for one that does not exist. */
  setting<T>(key: string): T;
  /** The guarantees on offer, in display order. */
  tiers(): readonly GuaranteeTier[];
  reload(): Promise<void>;
}

async function load(db: Db) {
  const { rows } = await sql<Row>`
    select d.id, d.code, d.name, d.games, d.commission_bp, d.conf, d.theme, coalesce(array_agg(h.host) filter (where h.host is not null), '{}') as hosts
    from distributor d left join dist_host h on h.dist_id = d.id where d.status = 1 group by d.id order by d.id`.execute(
    db,
  );
  const settings = await sql<{
    key: string;
    value: unknown;
  }>`select distinct on (key) key, value from setting order by key, version desc`.execute(db);
  const tiers = await sql<GuaranteeTier>`
    select id, kind, name, version, rate_bp as bp, min_fen as "minFen", payout_bp as "payoutBp", chase_days as "chaseDays", cover_text as "coverText",
      exclusions, reasons, games from guarantee_tier where status = 1 order by sort, id`.execute(db);
  const byHost = new Map<string, Distributor>();
  const byId = new Map<number, Distributor>();
  for (const row of rows) {
    const conf = distConf.parse({ ...row.conf, theme: row.theme, distId: row.id, distCode: row.code });
    const dist: Distributor = {
      id: row.id,
      code: row.code,
      name: row.name,
      games: row.games,
      commissionBp: row.commission_bp,
      conf,
    };
    byId.set(row.id, dist);
    for (const host of row.hosts) byHost.set(host, dist);
  }
  return { byHost, byId, settings: new Map(settings.rows.map((s) => [s.key, s.value])), tiers: tiers.rows };
}

/** Loads the directory and reloads it on the bus channel `conf`. */
export async function openDirectory(ctx: { db: Db; bus: Bus; log: Logger; siteUrl: string }): Promise<Directory> {
  let current = await load(ctx.db);
  const reload = async (): Promise<void> => {
    current = await load(ctx.db);
  };
  ctx.bus.subscribe(
    'conf',
    () =>
      void reload().catch((error: unknown) => ctx.log.error({ error: String(error) }, 'configuration not reloaded')),
  );
  return {
    byHost: (host) => current.byHost.get(host),
    byId: (id) => current.byId.get(id),
    platform() {
      const first = current.byId.get(1);
      if (!first) throw new Error('the platform distributor (id 1) is missing; run the seed or create it');
      return first;
    },
    all: () => [...current.byId.values()],
    originOf(id) {
      const site = new URL(ctx.siteUrl);
      const host = [...current.byHost].find(([, dist]) => dist.id === id)?.[0];
      if (id !== 1 && host !== undefined) site.hostname = host;
      return site.origin;
    },
    setting<T>(key: string): T {
      if (!current.settings.has(key)) throw new Error(`setting ${key} is missing`);
      return current.settings.get(key) as T;
    },
    tiers: () => current.tiers,
    reload,
  };
}
