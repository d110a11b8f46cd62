/** Values with a start time: settings and guarantee tiers, including planned ones, so that every node changes automatically at the same moment. */
import { SwitchStatus } from '#contract/rules/statuses.ts';
import { sql } from 'kysely';
import type { ReasonsTerms } from '#subjects/guarantees/rules/guarantee.ts';
import {
  isSettingKey,
  type SettingKey,
  type SettingValue,
  settingValue,
} from '#subjects/settings/contract/setting-values.ts';
import type { Db } from '#server/db/client.ts';

/** A guarantee on offer: the only source of its price and of its cover (table guarantee_tier). Changed terms get a new id. */
export interface GuaranteeTier {
  id: number;
  code: string;
  kind: 'ensure' | 'fixEnsure';
  name: string;
  version: number;
  bp: number;
  minFen: number;
  /** The maximum total payment, in basis points of the price. */
  payoutBp: number;
  chaseDays: number;
  coverText: string;
  exclusions: string[];
  /** The cover of each reason; a missing reason is not covered. */
  reasons: ReasonsTerms;
  /** Games for which it is offered; null = every game. */
  games: number[] | null;
}

interface Version {
  key: string;
  value: unknown;
  /** When it takes effect, in ms; 0 if it is in force already. */
  fromMs: number;
}

interface TierVersion extends GuaranteeTier {
  onOffer: boolean;
  fromMs: number;
}

const FROM_MS = sql`case when valid_from <= now() then 0 else (extract(epoch from valid_from) * 1000)::float8 end`;

/** The values in force at each moment. */
export interface TimedConfig {
  /** The value of a setting; undefined if it is not in the database. */
  setting<K extends SettingKey>(key: K): SettingValue<K> | undefined;
  /** The guarantees on offer, in display order. */
  tiers(): readonly GuaranteeTier[];
}

const counts = (version: { fromMs: number }): boolean => version.fromMs === 0 || version.fromMs <= Date.now();

/** The newest version in force of each tier on offer. */
function offered(versions: readonly TierVersion[]): readonly GuaranteeTier[] {
  const newest = new Map<string, TierVersion>();
  for (const version of versions.filter(counts)) newest.set(version.code, version);
  return versions.filter((version) => newest.get(version.code) === version && version.onOffer);
}

/** A setting as it was read, checked against its schema; keys without a schema are not settings of the market. */
const checkedVersion = (version: Version): Version =>
  isSettingKey(version.key) ? { ...version, value: settingValue(version.key, version.value) } : version;

/**
 * Reads the settings and tiers in force, and the planned ones. Throws for a setting whose value does not match its schema, so that
 * a server does not start with it, and a running server keeps its current values.
 */
export async function loadTimed(db: Db): Promise<TimedConfig> {
  const settings = await sql<Version>`
    select s.key, s.value, ${FROM_MS} as "fromMs" from setting s
    where s.revoked_at is null and s.version >= coalesce((select max(n.version) from setting n
      where n.key = s.key and n.revoked_at is null and n.valid_from <= now()), 0)
    order by s.key, s.version`.execute(db);
  const tiers = await sql<TierVersion>`
    select id, kind, code, name, version, rate_bp as bp, min_fen as "minFen", payout_bp as "payoutBp", chase_days as "chaseDays",
      cover_text as "coverText", exclusions, reasons, games, status = ${sql.lit(SwitchStatus.On)} as "onOffer", ${FROM_MS} as "fromMs"
    from guarantee_tier where revoked_at is null order by version, id`.execute(db);
  const byKey = Map.groupBy(settings.rows.map(checkedVersion), ({ key }) => key);
  const order = await sql<{ id: number }>`select id from guarantee_tier order by sort, id`.execute(db);
  const position = new Map(order.rows.map(({ id }, index) => [id, index]));
  return {
    setting: <K extends SettingKey>(key: K) => byKey.get(key)?.findLast(counts)?.value as SettingValue<K> | undefined,
    tiers: () => offered(tiers.rows).toSorted((a, b) => (position.get(a.id) ?? 0) - (position.get(b.id) ?? 0)),
  };
}
