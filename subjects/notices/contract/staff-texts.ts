import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import {
  NOTICE_BODY_MAX,
  NOTICE_TITLE_MAX,
  noticeChannels,
  smsTemplatePattern,
  trialChannels,
} from '../rules/notice-text.ts';
import { flag, int, json, nothing, text, time } from '#contract/wire.ts';

const kind = z.string({ error: '请选择通知' }).regex(/^[a-z_.]{2,40}$/, '没有这类通知');
const channel = z.enum(noticeChannels, { error: '渠道不正确' });
/** The newest version that the author saw; 0 for a channel without its own text. */
const version = int({ max: 1_000_000, label: '版本' });
const reason = text(200, { min: 2, label: '原因' });
/** The number of the text at the SMS vendor; empty for the one in the vendor's settings. */
const template = z
  .union([z.literal(''), z.string().regex(smsTemplatePattern, '模板编号为 3 到 40 位字母、数字、下划线或连字符')], {
    error: '模板编号不正确',
  })
  .optional()
  .transform((value) => value || null);
const title = text(NOTICE_TITLE_MAX, { min: 2, label: '标题' });
const body = text(NOTICE_BODY_MAX, { min: 2, label: '正文' });

const written = {
  title: z.string(),
  body: z.string(),
  template: z.string().nullable(),
  version: z.number().int(),
  /** Identical to the text that the program ships. */
  isDefault: z.boolean(),
  /** Removed: the channel uses the text of the in-site list. */
  removed: z.boolean(),
  changedBy: z.string().nullable(),
  changeTime: time,
  reason: z.string(),
};

/** Every kind of notice with its texts by channel, and the placeholders that it fills. */
export const noticeTexts = staffRead('/api/backstage/text/notices', '通知文案', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        kind: z.string(),
        name: z.string(),
        group: z.string(),
        channels: z.array(channel),
        optional: z.boolean(),
        urgent: z.boolean(),
        /** The version of the channels and of `urgent`; a change must include it. */
        version: z.number().int(),
        placeholders: z.array(z.string()),
        texts: z.array(z.object({ channel, ...written })),
        shipped: z.object({ title: z.string(), body: z.string() }),
      }),
    ),
    canEdit: z.boolean(),
    /** The platform's name, with which messages begin. */
    site: z.string(),
  }),
});
export type NoticeKind = z.output<typeof noticeTexts.data>['list'][number];

export const noticeTextHistory = staffRead('/api/backstage/text/noticeHistory', '通知文案的历史', {
  input: z.object({ kind, channel }),
  data: z.object({ list: z.array(z.object(written)) }),
});

export const saveNoticeText = staffWrite('/api/backstage/text/saveNotice', '修改通知文案', {
  input: z.object({ kind, channel, version, title, body, template, reason }),
  data: z.object({ version: z.number().int() }),
});

/** Restores the shipped text; a channel without one uses the text of the in-site list again. */
export const restoreNoticeText = staffWrite('/api/backstage/text/restoreNotice', '恢复通知的默认文案', {
  input: z.object({ kind, channel, version, reason }),
  data: z.object({ version: z.number().int() }),
});

/** The channels of a kind by default, and whether it ignores quiet hours. */
export const saveNoticeKind = staffWrite('/api/backstage/text/saveKind', '修改通知的默认渠道', {
  input: z.object({
    kind,
    version,
    channels: json(z.array(channel).max(noticeChannels.length), '渠道'),
    urgent: flag,
    reason,
  }),
  data: nothing,
});

/** Sends a text with example values to a phone or mail address of the user, through the vendor that sends notices. */
export const tryNoticeText = staffWrite('/api/backstage/text/tryNotice', '试发通知文案', {
  input: z.object({
    kind,
    channel: z.enum(trialChannels, { error: '这个渠道不能试发' }),
    title,
    body,
    template,
    to: text(120, { min: 1, label: '接收地址' }),
  }),
  data: z.object({ ok: z.boolean(), text: z.string() }),
  limit: 'verify',
});
