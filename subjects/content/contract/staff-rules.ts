import { z } from 'zod';
import { beginning } from '#contract/form-moment.ts';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { ARTICLE_MAX } from '../rules/article.ts';
import { RULE_TITLE_MAX } from '../rules/public-texts.ts';
import { flag, int, nothing, text, time } from '#contract/wire.ts';

/** 'rule:3.2' or 'legal:privacy'. */
const key = z
  .string({ error: '请选择规则' })
  .regex(/^(?:rule:\d{1,2}(?:\.\d{1,2}){0,2}|legal:[a-z_]{2,40})$/, '规则编号应为 3、3.2 或 3.2.1 这样的数字');
/** The newest version that the author saw; 0 for a rule that is new. */
const version = int({ max: 1_000_000, label: '版本' });
const draftVersion = int({ max: 1_000_000, label: '草稿版本' });
const reason = text(200, { min: 2, label: '原因' });
const title = text(RULE_TITLE_MAX, { min: 2, label: '标题' });
const body = text(ARTICLE_MAX, { min: 2, label: '正文' });

const published = z.object({
  version: z.number().int(),
  title: z.string(),
  /** The text of a rule, or the source of an agreement (subjects/content/rules/article.ts). */
  body: z.string(),
  fromTime: time,
  createdBy: z.string().nullable(),
  reason: z.string(),
  retired: z.boolean(),
  needsConsent: z.boolean(),
});

const entry = z.object({
  key: z.string(),
  /** '3.2', or the agreement's code. */
  code: z.string(),
  name: z.string(),
  /** The newest version, revoked or not, which a publication must include. */
  version: z.number().int(),
  current: published.nullable(),
  planned: published.nullable(),
  draft: z
    .object({
      draftVersion: z.number().int(),
      title: z.string(),
      body: z.string(),
      author: z.string(),
      saveTime: time,
    })
    .nullable(),
  /** Rulings that cite the rule, or people who agreed to the agreement's current version. */
  uses: z.number().int(),
});
export type RuleEntry = z.output<typeof entry>;

/** Every public rule and agreement with its version in force, its planned version and its draft. */
export const ruleTexts = staffRead('/api/backstage/rule/list', '公开规则与协议', {
  input: z.object({}),
  data: z.object({ rules: z.array(entry), agreements: z.array(entry), canEdit: z.boolean() }),
});

export const ruleTextHistory = staffRead('/api/backstage/rule/history', '一条规则或协议的历史', {
  input: z.object({ key }),
  data: z.object({
    list: z.array(
      published.extend({ state: z.enum(['counts', 'planned', 'past', 'revoked']), revokedBy: z.string().nullable() }),
    ),
  }),
});

export const saveRuleDraft = staffWrite('/api/backstage/rule/saveDraft', '保存规则的草稿', {
  input: z.object({ key, draftVersion, title, body }),
  data: z.object({ draftVersion: z.number().int() }),
});

export const dropRuleDraft = staffWrite('/api/backstage/rule/dropDraft', '放弃规则的草稿', {
  input: z.object({ key, draftVersion }),
  data: nothing,
});

/** Publishes the form's values, immediately or from a time on. A draft of the same version is deleted. */
export const publishRule = staffWrite('/api/backstage/rule/publish', '发布规则或协议的新版本', {
  input: z.object({
    key,
    version,
    draftVersion,
    title,
    body,
    from: beginning,
    /** The version says that the rule no longer applies. */
    retired: flag,
    /** Users who agreed to an earlier version must agree again. */
    needsConsent: flag,
    reason,
  }),
  data: z.object({ version: z.number().int(), state: z.enum(['counts', 'planned']) }),
});

export const revokeRule = staffWrite('/api/backstage/rule/revoke', '撤销待生效的规则或协议', {
  input: z.object({ key, version, reason }),
  data: nothing,
});
