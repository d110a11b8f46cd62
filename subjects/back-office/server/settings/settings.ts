import type * as c from '#subjects/settings/contract/staff-settings.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { readSetting, settingSpec, typedSetting } from '#subjects/settings/rules/settings.ts';
import { isTierKey } from '#subjects/settings/rules/setting-tiers.ts';
import type { SettingSpec } from '#subjects/settings/rules/setting-groups.ts';
import {
  isSettingKey,
  type SettingKey,
  type SettingValue,
  settingValue,
} from '#subjects/settings/contract/setting-values.ts';
import { staffCan } from '../../rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import { feesNeedSecond } from '#subjects/distributors/server/service.ts';
import { tierVersions } from '#subjects/guarantees/server/service.ts';
import {
  differences,
  listSettings,
  requireBeginning,
  type SettingVersion,
  loadValue,
  loadVersions,
} from '#subjects/settings/server/service.ts';
import {
  type Draft,
  approveRequest,
  openDraft,
  openDrafts,
  rejectRequest,
  requestOrConfirm,
  withdrawRequest,
} from '#server/staff/approvals.ts';
import { exampleOrders, type Terms } from './preview.ts';
import { kindOf, listTiers, loadState, store, tiersWith, tierValue } from './states.ts';

/** A change pending approval by a second person. */
interface Payload {
  version: number;
  value: unknown;
  from: string | null;
}

const ACTION = 'setting.change';
const targetOf = (key: string): `setting:${string}` => `setting:${key}`;

function plannedOf(spec: SettingSpec, pending: SettingVersion | undefined) {
  if (!pending) return null;
  const { version, validFrom, createdBy, reason } = pending;
  return { version, values: typedSetting(spec, pending.value), fromTime: validFrom, createdBy, reason };
}

function draftOf(spec: SettingSpec, draft: Draft<Payload> | undefined, staffId: number) {
  if (!draft) return null;
  const { id, requestedBy, name, reason, payload } = draft;
  return {
    draftId: id,
    values: typedSetting(spec, payload.value),
    fromTime: payload.from === null ? null : new Date(payload.from),
    createdBy: name,
    isMine: requestedBy === staffId,
    reason,
  };
}

/**
 * All settings with the current version, the planned version, and the change pending approval by a second person.
 * Throws FORBIDDEN.
 */
export async function list({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.settingList>> {
  requirePlatform(staff, 'setting.read');
  const [settings, tiers, traded] = await Promise.all([
    listSettings(ctx.db),
    listTiers(ctx.db),
    feesNeedSecond(ctx.db),
  ]);
  const states = [...settings, ...tiers];
  const drafts = await openDrafts<Payload>(
    ctx.db,
    ACTION,
    states.map(({ spec }) => targetOf(spec.key)),
  );
  return {
    list: states.map(({ spec, current, pending }) => ({
      key: spec.key,
      name: spec.name,
      values: typedSetting(spec, current.value),
      version: current.newest,
      changedBy: current.createdBy,
      changeTime: current.validFrom,
      reason: current.reason,
      needsSecond: spec.twoPersons && traded,
      planned: plannedOf(spec, pending),
      draft: draftOf(spec, drafts.get(targetOf(spec.key)), staff.id),
    })),
    canChange: staffCan(staff, 'setting.write'),
  };
}

function stateName({ counts, pending, revokedAt }: SettingVersion): 'counts' | 'planned' | 'past' | 'revoked' {
  if (revokedAt) return 'revoked';
  return counts ? 'counts' : pending ? 'planned' : 'past';
}

const labelOf = (spec: SettingSpec, path: string): string => {
  const field = spec.fields.find((one) => one.path === path);
  return field?.row === undefined ? (field?.label ?? path) : `${field.row} · ${field.label}`;
};

/** The versions of a setting, newest first, each with its changes. Throws FORBIDDEN, NOT_FOUND. */
export async function history(
  { ctx, staff }: StaffCall,
  { key }: Parsed<typeof c.settingHistory>,
): Promise<HandlerResult<typeof c.settingHistory>> {
  requirePlatform(staff, 'setting.read');
  const spec = settingSpec(key);
  if (!spec) throw new AppError('NOT_FOUND');
  const versions = isTierKey(key) ? await tierVersions(ctx.db, key) : await loadVersions(ctx.db, key);
  return {
    list: versions.map((one, index) => {
      const before = versions.slice(index + 1).find(({ revokedAt }) => revokedAt === null);
      const changed = before ? differences(key, before.value, one.value) : {};
      const { version, createdAt, createdBy, approvedBy, revokedBy, reason } = one;
      return {
        version,
        values: typedSetting(spec, one.value),
        changes: Object.entries(changed).map(([path, [old, now]]) => ({
          label: labelOf(spec, path),
          before: old,
          after: now,
        })),
        fromTime: one.validFrom,
        createTime: createdAt,
        createdBy,
        approvedBy,
        revokedBy: one.revokedAt ? (revokedBy ?? '命令行') : null,
        reason,
        state: stateName(one),
      };
    }),
  };
}

/** The problems of a form by field, or its effect on the example orders. Throws FORBIDDEN, NOT_FOUND. */
export async function preview(
  { ctx, staff }: StaffCall,
  { key, values }: Parsed<typeof c.previewSetting>,
): Promise<HandlerResult<typeof c.previewSetting>> {
  requirePlatform(staff, 'setting.read');
  const { spec, current } = await loadState(ctx.db, key);
  const other = (name: string): unknown => {
    if (isTierKey(key)) return kindOf(current);
    return isSettingKey(name) ? ctx.dir.setting(name) : undefined;
  };
  const read = readSetting(spec, { current: current.value, typed: values, other });
  if ('problems' in read) return { problems: [...read.problems], examples: [] };
  return { problems: [], examples: examplesOf(ctx, key, read.value) };
}

function examplesOf(ctx: Context, key: string, value: unknown) {
  const before: Terms = { setting: (name) => ctx.dir.setting(name), tiers: ctx.dir.tiers() };
  if (isTierKey(key)) return exampleOrders(before, { ...before, tiers: tiersWith(before.tiers, key, value) });
  return exampleOrders(before, {
    ...before,
    setting: <K extends SettingKey>(name: K): SettingValue<K> =>
      name === key ? settingValue(name, value) : ctx.dir.setting(name),
  });
}

/**
 * Changes a setting from a time on, or stores the change for approval by a second person. Throws FORBIDDEN, NOT_FOUND,
 * BAD_INPUT with the field, SETTING_CHANGED, SETTING_PENDING, and SETTING_DRAFT while another change is pending.
 */
export async function change(
  call: StaffCall,
  { key, version, values, from, reason }: Parsed<typeof c.changeSetting>,
): Promise<HandlerResult<typeof c.changeSetting>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'setting.write');
  const { spec, current, pending } = await loadState(ctx.db, key);
  const value = isTierKey(key) ? tierValue(spec, current, values) : await loadValue(ctx.db, key, values);
  requireBeginning(from);
  if (Object.keys(differences(key, current.value, value)).length === 0)
    throw new AppError('BAD_INPUT', { text: '与现在的设置相同，没有需要保存的修改' });
  if (await openDraft(ctx.db, ACTION, targetOf(key))) throw new AppError('SETTING_DRAFT');
  if (spec.twoPersons && (await feesNeedSecond(ctx.db))) {
    if (pending) throw new AppError('SETTING_PENDING');
    if (current.newest !== version) throw new AppError('SETTING_CHANGED');
    const payload: Payload = { version, value, from: from?.toISOString() ?? null };
    const request = { act: ACTION, target: targetOf(key), amountFen: null, reason, distId: null, payload } as const;
    // Another change was stored concurrently, so the pending change is not this one.
    const isFirst = !(await requestOrConfirm(call, request, () => {}));
    const stored = await openDraft(ctx.db, ACTION, targetOf(key));
    if (!isFirst || stored?.requestedBy !== staff.id) throw new AppError('SETTING_DRAFT');
    return { state: 'waiting' };
  }
  await inTransaction(
    ctx.db,
    async (trx) => await store(key).change(ctx, trx, { key, version, value, from, reason, staffId: staff.id, ip }),
  );
  await ctx.dir.reload();
  return { state: from === null ? 'counts' : 'planned' };
}

/**
 * The second person activates a change, or rejects it; its author withdraws it. A start that has passed meanwhile becomes now. Throws
 * FORBIDDEN, SECOND_PERSON for the wrong person or when it is no longer open, SETTING_CHANGED when the setting was changed since.
 */
export async function decide(
  call: StaffCall,
  { key, draftId, act: action, reason }: Parsed<typeof c.decideSetting>,
): Promise<HandlerResult<typeof c.decideSetting>> {
  const { ctx, staff, ip } = call;
  requirePlatform(staff, 'setting.write');
  const target = targetOf(key);
  const state = await inTransaction(ctx.db, async (trx) => {
    const request = { act: ACTION, target, amountFen: null, reason, distId: null, draftId } as const;
    if (action === 'reject') {
      await rejectRequest(trx, call, request);
      return 'rejected' as const;
    }
    if (action === 'withdraw') {
      await withdrawRequest(trx, call, request);
      return 'withdrawn' as const;
    }
    const draft = await openDraft<Payload>(trx, ACTION, target);
    if (!draft || draft.id !== draftId) throw new AppError('SECOND_PERSON', { text: '这条修改已处理或已过期，请刷新' });
    if (draft.requestedBy === staff.id) throw new AppError('SECOND_PERSON', { text: '须由另一位同事复核' });
    await approveRequest(trx, call, request);
    const { version, value } = draft.payload;
    const planned = draft.payload.from === null ? null : new Date(draft.payload.from);
    const from = planned && planned.getTime() > Date.now() ? planned : null;
    await store(key).change(ctx, trx, {
      key,
      version,
      value,
      from,
      ip,
      reason: draft.reason,
      staffId: draft.requestedBy,
      approvedBy: staff.id,
    });
    return from === null ? ('counts' as const) : ('planned' as const);
  });
  // The next read on this node returns the new state; other nodes are notified over the bus.
  await ctx.dir.reload();
  return { state };
}

/** Withdraws a planned change. Throws FORBIDDEN, SETTING_CHANGED when it is already in force. */
export async function revoke(
  { ctx, staff, ip }: StaffCall,
  { key, version, reason }: Parsed<typeof c.revokeSetting>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'setting.write');
  await inTransaction(
    ctx.db,
    async (trx) => await store(key).revoke(ctx, trx, { key, version, reason, staffId: staff.id, ip }),
  );
  await ctx.dir.reload();
  return {};
}
