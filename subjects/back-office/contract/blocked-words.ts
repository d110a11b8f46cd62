import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { WORD_MAX, type WordLevel, wordLevels } from '../rules/blocked-words.ts';
import { int, nothing, optionalText, text, time } from '#contract/wire.ts';

const level = z.enum(Object.keys(wordLevels) as [WordLevel, ...WordLevel[]], { error: '级别不正确' });
const wordId = int({ min: 1, label: '词语' });
const version = int({ min: 1, max: 1_000_000, label: '版本' });

const item = z.object({
  wordId: z.number().int(),
  word: z.string(),
  level,
  note: z.string(),
  version: z.number().int(),
  hits: z.number().int(),
  lastHit: time.nullable(),
  createdBy: z.string().nullable(),
  createTime: time,
  endTime: time.nullable(),
  endReason: z.string().nullable(),
});
export type BlockedWord = z.output<typeof item>;

/** The active words, most hits first; with `ended` those that were removed. */
export const wordList = staffRead('/api/backstage/word/list', '屏蔽词', {
  input: z.object({
    keyWord: optionalText(WORD_MAX, '关键词'),
    level: z.union([z.literal('').transform(() => undefined), level]).optional(),
    ended: z.enum(['0', '1']).optional(),
  }),
  data: z.object({ list: z.array(item), total: z.number().int(), totalCapped: z.boolean(), canEdit: z.boolean() }),
});

/**
 * One word per line, followed by ',级别,备注' where these differ. Stores all lines, or none and reports the invalid lines.
 */
export const addBlockedWords = staffWrite('/api/backstage/word/add', '添加屏蔽词', {
  input: z.object({
    lines: text(40_000, { min: 1, label: '词语' }),
    level,
    reason: text(200, { min: 2, label: '原因' }),
  }),
  data: z.object({ added: z.number().int() }),
});

export const changeWord = staffWrite('/api/backstage/word/change', '修改屏蔽词的级别', {
  input: z.object({ wordId, version, level, note: text(60, { label: '备注' }) }),
  data: nothing,
});

export const endWord = staffWrite('/api/backstage/word/end', '停用屏蔽词', {
  input: z.object({ wordId, version, reason: text(200, { min: 2, label: '原因' }) }),
  data: nothing,
});

/** Shows the filtered form of a text; counts no hits. */
export const tryBlockedWords = staffWrite('/api/backstage/word/try', '试一段文字', {
  input: z.object({ text: text(2000, { min: 1, label: '文字' }) }),
  data: z.object({
    /** The visible text in a listing, a review or a shop; null when the text would be rejected. */
    published: z.string().nullable(),
    /** The text visible to the other party in a chat; null when the message would be rejected. */
    chat: z.string().nullable(),
    hits: z.array(z.object({ word: z.string(), level, from: z.number().int(), to: z.number().int() })),
  }),
  limit: 'read',
});
