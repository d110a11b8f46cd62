import { sql } from 'kysely';
import {
  readSetting,
  SETTING_AHEAD_DAYS,
  settingSpec,
  settingSpecs,
  type TypedSetting,
  typedSetting,
} from '../rules/settings.ts';
import type { SettingSpec } from '../rules/setting-groups.ts';
import { audit } from '#server/audit/audit.ts';
import type { Context } from '#server/context.ts';
import { afterCommit, inTransaction, type Trx } from '#server/db/client.ts';
import { emit, schedule } from '#server/jobs/effect-writer.ts';
import { AppError } from '#server/kernel/errors.ts';
import { currentVersions, lockNewest, type SettingVersion } from './queries.ts';

export { type SettingVersion, loadVersions } from './queries.ts';

/** A setting with its current and planned versions. */
export interface SettingState {
  spec: SettingSpec;
  current: SettingVersion;
  pending: SettingVersion | undefined;
}

/** Every setting that staff may change, in the order of the registry. */
export async function listSettings(db: Trx): Promise<SettingState[]> {
  const versions = await currentVersions(db);
  return settingSpecs.map((spec) => {
    const mine = versions.filter(({ key }) => key === spec.key);
    const current = mine.find(({ counts }) => counts);
    if (!current) throw new Error(`setting ${spec.key} is missing`);
    return { spec, current, pending: mine.find(({ pending }) => pending) };
  });
}

/** One setting. Throws NOT_FOUND for a key that staff may not change. */
export async function settingState(db: Trx, key: string): Promise<SettingState> {
  const state = (await listSettings(db)).find(({ spec }) => spec.key === key);
  if (!state) throw new AppError('NOT_FOUND');
  return state;
}

/** The new value from a form applied to the current one. Throws NOT_FOUND, and BAD_INPUT with the field ('values.sellerBp'). */
export async function loadValue(db: Trx, key: string, typed: TypedSetting): Promise<unknown> {
  const states = await listSettings(db);
  const state = states.find(({ spec }) => spec.key === key);
  if (!state) throw new AppError('NOT_FOUND');
  const other = (name: string): unknown => states.find(({ spec }) => spec.key === name)?.current.value;
  const read = readSetting(state.spec, { current: state.current.value, typed, other });
  if ('value' in read) return read.value;
  const [problem] = read.problems;
  throw new AppError('BAD_INPUT', { ...(problem && { text: problem.text, field: `values.${problem.path}` }) });
}

/** A decided change: author, reason, and the time from which it applies (null: immediately). */
export interface SettingChange {
  key: string;
  /** The newest version that its author saw; a different one means that another person has saved since. */
  version: number;
  value: unknown;
  from: Date | null;
  reason: string;
  /** Null for the command line. */
  staffId: number | null;
  approvedBy?: number | undefined;
  ip?: string | undefined;
}

const DAY_MS = 86_400_000;

/** Throws BAD_INPUT for a start in the past or too far ahead. */
export function requireBeginning(from: Date | null): void {
  if (from === null) return;
  const ahead = from.getTime() - Date.now();
  if (ahead <= 0) throw new AppError('BAD_INPUT', { text: '生效时间须晚于现在；留空则立即生效', field: 'from' });
  if (ahead > SETTING_AHEAD_DAYS * DAY_MS)
    throw new AppError('BAD_INPUT', { text: `生效时间最远 ${SETTING_AHEAD_DAYS} 天`, field: 'from' });
}

/**
 * Adds a version of a setting in the caller's transaction; every node uses it from its start on. Existing orders keep their terms. Throws
 * SETTING_CHANGED when the newest version is not the one the author saw, SETTING_PENDING while one is planned, BAD_INPUT for a start in the
 * past.
 */
export async function changeSetting(ctx: Context, trx: Trx, change: SettingChange): Promise<{ version: number }> {
  const { key, value, from, reason, staffId } = change;
  requireBeginning(from);
  const newest = await lockNewest(trx, key);
  if (!newest) throw new AppError('NOT_FOUND');
  if (newest.pending) throw new AppError('SETTING_PENDING');
  if (newest.version !== change.version) throw new AppError('SETTING_CHANGED');
  const version = newest.version + 1;
  const { rows } = await sql<{ before: unknown }>`
    insert into setting (key, version, value, valid_from, reason, created_by, approved_by)
    values (${key}, ${version}, ${JSON.stringify(value)}::jsonb, coalesce(${from}::timestamptz, now()), ${reason}, ${staffId}, ${change.approvedBy ?? null})
    on conflict do nothing returning setting_now(${key}) as before`.execute(trx);
  if (rows.length === 0) throw new AppError('SETTING_CHANGED');
  const detail = {
    version,
    reason,
    from: from?.toISOString() ?? 'now',
    changed: differences(key, rows[0]?.before, value),
  };
  await audit(trx, staffId === null ? null : { id: staffId }, 'setting.change', `setting:${key}`, detail, change.ip);
  await announceSetting(ctx, trx, { key, version }, from);
  return { version };
}

/** The fields that differ, in input format: `{ sellerBp: ['5', '6'] }`. */
export function differences(key: string, before: unknown, after: unknown): Record<string, readonly [string, string]> {
  const spec = settingSpec(key);
  if (!spec) return {};
  const [old, now] = [typedSetting(spec, before), typedSetting(spec, after)];
  return Object.fromEntries(
    Object.keys(now)
      .filter((path) => old[path] !== now[path])
      .map((path) => [path, [old[path] ?? '', now[path] ?? ''] as const]),
  );
}

/** Publishes a change of a key: all nodes read the new state after the commit; an event for listeners that recompute follows when it takes effect. */
export async function announceSetting(
  ctx: Context,
  trx: Trx,
  { key, version }: { key: string; version: number },
  from: Date | null,
) {
  if (from === null) await emit(trx, 'setting.changed', { key });
  else await schedule(trx, 'setting.begin', `${key}:${version}`, from);
  afterCommit(trx, () => ctx.bus.publish('conf', {}));
}

/** Revokes a planned version. Throws SETTING_CHANGED when it is already in force or was revoked. */
export async function revokeSetting(
  ctx: Context,
  trx: Trx,
  { key, version, staffId, reason, ip }: Pick<SettingChange, 'key' | 'version' | 'staffId' | 'reason' | 'ip'>,
): Promise<void> {
  const { rows } = await sql`
    update setting set revoked_at = now(), revoked_by = ${staffId}
    where key = ${key} and version = ${version} and revoked_at is null and valid_from > now() returning version`.execute(
    trx,
  );
  if (rows.length === 0) throw new AppError('SETTING_CHANGED');
  await audit(
    trx,
    staffId === null ? null : { id: staffId },
    'setting.revoke',
    `setting:${key}`,
    { version, reason },
    ip,
  );
  afterCommit(trx, () => ctx.bus.publish('conf', {}));
}

/** The input of a command: fields in input format, by path. */
export interface SettingRequest {
  key: string;
  typed: TypedSetting;
  from: Date | null;
  reason: string;
  /** The author's name in the record; none unless given. */
  staffId?: number | undefined;
  ip?: string | undefined;
}

/**
 * Changes a setting on behalf of the machine's operator (the command line), without a second approval. Throws as `valueOf` and
 * `changeSetting`. Example: `{ key: 'fees', typed: { sellerBp: '6' }, from: null, reason: '…' }`.
 */
export async function setSetting(
  ctx: Context,
  { key, typed, from, reason, staffId, ip }: SettingRequest,
): Promise<{ version: number; changed: Record<string, readonly [string, string]> }> {
  return await inTransaction(ctx.db, async (trx) => {
    const { current } = await settingState(trx, key);
    const value = await loadValue(trx, key, typed);
    const { version } = await changeSetting(ctx, trx, {
      key,
      version: current.newest,
      value,
      from,
      reason,
      staffId: staffId ?? null,
      ip,
    });
    return { version, changed: differences(key, current.value, value) };
  });
}

/** Stores a measurement of the program under a key that is not editable; nothing is written when the value is the same. */
export async function storeMeasured(ctx: Context, key: string, value: unknown): Promise<void> {
  await inTransaction(ctx.db, async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${key}))`.execute(trx);
    const { rows } = await sql`
      insert into setting (key, version, value)
      select ${key}, s.version + 1, ${JSON.stringify(value)}::jsonb
      from (select version, value from setting where key = ${key} order by version desc limit 1) s
      where s.value is distinct from ${JSON.stringify(value)}::jsonb returning version`.execute(trx);
    if (rows.length > 0) afterCommit(trx, () => ctx.bus.publish('conf', {}));
  });
}
