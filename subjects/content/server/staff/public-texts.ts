/** Public rules and agreements in the back office: drafts, publication, withdrawal. */
import type * as c from '#subjects/content/contract/staff-rules.ts';
import type { HandlerResult, Parsed } from '#contract/endpoint.ts';
import { articleText } from '#subjects/content/rules/article.ts';
import { type AgreementCode, agreements } from '#subjects/content/rules/public-texts.ts';
import { staffCan } from '#subjects/back-office/rules/staff.ts';
import type { StaffCall } from '#server/access/call.ts';
import { requirePlatform } from '#server/access/permissions.ts';
import { audit } from '#server/audit/audit.ts';
import { inTransaction, type Trx } from '#server/db/client.ts';
import { AppError } from '#server/kernel/errors.ts';
import {
  addLegalVersion,
  dropRuleDraft,
  legalVersions,
  revokeLegalVersion,
  ruleDrafts,
  saveRuleDraft,
} from '../legal.ts';
import { addRuleVersion, revokeRuleVersion, ruleVersions } from '#subjects/disputes/server/service.ts';
import {
  blocksFrom,
  currentOf,
  entryOf,
  partsOf,
  type Publication,
  requireBeginning,
  requireChange,
  requireText,
  statesOf,
  targetOf,
  type Version,
} from './rules.ts';

/** The versions of the rules or of the agreements by code, oldest first. */
async function versionsBy(db: Trx, isRule: boolean, code?: string): Promise<Map<string, Version[]>> {
  const out = new Map<string, Version[]>();
  const add = (of: string, version: Version) => out.set(of, [...(out.get(of) ?? []), version]);
  if (isRule)
    for (const { no, from, cited, ...rule } of await ruleVersions(db, code))
      add(no, { ...rule, fromTime: from, needsConsent: false, uses: cited });
  else
    for (const { code: of, from, blocks, agreed, ...text } of await legalVersions(db, code))
      add(of, { ...text, body: articleText(blocks), fromTime: from, retired: false, uses: agreed });
  return out;
}

/** All rules and agreements, each with its version in force, its planned version and its draft. Throws FORBIDDEN. */
export async function listRules({ ctx, staff }: StaffCall): Promise<HandlerResult<typeof c.ruleTexts>> {
  requirePlatform(staff, 'text.read');
  const [rules, texts, drafts] = await Promise.all([
    versionsBy(ctx.db, true),
    versionsBy(ctx.db, false),
    ruleDrafts(ctx.db),
  ]);
  const now = Date.now();
  const draftOf = (key: string) => drafts.find((draft) => draft.key === key);
  const fresh = drafts.map(({ key }) => partsOf(key)).filter(({ isRule, code }) => isRule && !rules.has(code));
  const numbers = [...rules.keys(), ...fresh.map(({ code }) => code)];
  return {
    rules: numbers.map((no) => {
      const versions = rules.get(no) ?? [];
      const name = (currentOf(versions, now) ?? versions.at(-1) ?? draftOf(`rule:${no}`))?.title ?? no;
      return entryOf(`rule:${no}`, name, versions, draftOf(`rule:${no}`), now);
    }),
    agreements: (Object.keys(agreements) as AgreementCode[]).map((code) =>
      entryOf(`legal:${code}`, agreements[code].name, texts.get(code) ?? [], draftOf(`legal:${code}`), now),
    ),
    canEdit: staffCan(staff, 'text.write'),
  };
}

/** The versions of a rule or an agreement, newest first. Throws FORBIDDEN. */
export async function ruleHistory(
  { ctx, staff }: StaffCall,
  { key }: Parsed<typeof c.ruleTextHistory>,
): Promise<HandlerResult<typeof c.ruleTextHistory>> {
  requirePlatform(staff, 'text.read');
  const { isRule, code } = partsOf(key);
  const versions = (await versionsBy(ctx.db, isRule, code)).get(code) ?? [];
  const states = statesOf(versions, Date.now());
  return { list: versions.map((one, index) => ({ ...one, state: states[index] ?? 'past' })).toReversed() };
}

/** Saves a draft. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field, TEXT_CHANGED. */
export async function saveDraft(
  { ctx, staff, ip }: StaffCall,
  { key, draftVersion, title, body }: Parsed<typeof c.saveRuleDraft>,
): Promise<HandlerResult<typeof c.saveRuleDraft>> {
  requirePlatform(staff, 'text.write');
  requireText({ key, body });
  return await inTransaction(ctx.db, async (trx) => {
    const version = await saveRuleDraft(trx, { key, version: draftVersion, title, body, staffId: staff.id });
    await audit(trx, staff, 'text.draft', targetOf(key), { title, version }, ip);
    return { draftVersion: version };
  });
}

/** Discards a draft. Throws FORBIDDEN, TEXT_CHANGED. */
export async function dropDraft(
  { ctx, staff, ip }: StaffCall,
  { key, draftVersion }: Parsed<typeof c.dropRuleDraft>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  if (draftVersion === 0) throw new AppError('TEXT_CHANGED');
  await inTransaction(ctx.db, async (trx) => {
    await dropRuleDraft(trx, { key, version: draftVersion });
    await audit(trx, staff, 'text.dropDraft', targetOf(key), { version: draftVersion }, ip);
  });
  return {};
}

/**
 * Publishes a version, immediately or from a time on, and deletes the draft that the caller saw. A number never changes
 * its meaning: a rule on another matter gets a new number. Throws FORBIDDEN, NOT_FOUND, BAD_INPUT with the field,
 * TEXT_CHANGED, TEXT_PENDING.
 */
export async function publish(
  { ctx, staff, ip }: StaffCall,
  input: Publication,
): Promise<HandlerResult<typeof c.publishRule>> {
  requirePlatform(staff, 'text.write');
  requireText(input);
  const now = Date.now();
  const { key, version, title, body, from, retired, needsConsent, reason } = input;
  requireBeginning(from, now);
  const { isRule, code } = partsOf(key);
  return await inTransaction(ctx.db, async (trx) => {
    requireChange((await versionsBy(trx, isRule, code)).get(code) ?? [], input, now);
    const common = { version, title, from, reason, staffId: staff.id };
    const added = isRule
      ? await addRuleVersion(trx, { ...common, no: code, body, retired })
      : await addLegalVersion(trx, { ...common, code, blocks: blocksFrom(body), needsConsent });
    await dropRuleDraft(trx, { key, version: input.draftVersion });
    const detail = { version: added, title, from: from?.toISOString() ?? 'now', retired, needsConsent, reason };
    await audit(trx, staff, isRule ? 'text.rule' : 'text.legal', targetOf(key), detail, ip);
    return { version: added, state: from === null ? ('counts' as const) : ('planned' as const) };
  });
}

/** Withdraws a planned version. Throws FORBIDDEN, TEXT_CHANGED when it is already in force. */
export async function revoke(
  { ctx, staff, ip }: StaffCall,
  { key, version, reason }: Parsed<typeof c.revokeRule>,
): Promise<Record<string, never>> {
  requirePlatform(staff, 'text.write');
  const { isRule, code } = partsOf(key);
  await inTransaction(ctx.db, async (trx) => {
    if (isRule) await revokeRuleVersion(trx, { no: code, version, staffId: staff.id });
    else await revokeLegalVersion(trx, { code, version, staffId: staff.id });
    await audit(trx, staff, 'text.revoke', targetOf(key), { version, reason }, ip);
  });
  return {};
}
