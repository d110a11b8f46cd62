import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { int, nothing, optionalText, text, time } from '#contract/wire.ts';

/** Length limits of a term and of its meaning. */
export const TERM_MAX = 30;
export const MEANT_MAX = 40;
export const SYNONYM_NOTE_MAX = 60;

const synonymId = int({ min: 1, label: '同义词' });
const version = int({ min: 1, max: 1_000_000, label: '版本' });
const meant = text(MEANT_MAX, { min: 2, label: '也搜索' });
const note = text(SYNONYM_NOTE_MAX, { label: '备注' });
const reason = text(200, { min: 2, label: '原因' });

const synonym = z.object({
  synonymId: z.number().int(),
  term: z.string(),
  meant: z.string(),
  note: z.string(),
  version: z.number().int(),
  createdBy: z.string().nullable(),
  createTime: time,
  endTime: time.nullable(),
  endReason: z.string().nullable(),
});
export type Synonym = z.output<typeof synonym>;

const miss = z.object({
  missId: z.number().int(),
  keyword: z.string(),
  /** The game that was chosen at the search; null when none was. */
  gameName: z.string().nullable(),
  times: z.number().int(),
  firstTime: time,
  lastTime: time,
});
export type SearchMiss = z.output<typeof miss>;

/** Synonyms, newest first, and the keywords that found nothing, the most frequent first. */
export const synonymList = staffRead('/api/backstage/synonym/list', '搜索同义词与无结果搜索', {
  input: z.object({ keyWord: optionalText(TERM_MAX, '关键词'), ended: z.enum(['0', '1']).optional() }),
  data: z.object({
    list: z.array(synonym),
    total: z.number().int(),
    totalCapped: z.boolean(),
    misses: z.array(miss),
    canEdit: z.boolean(),
  }),
});

/** Adds a synonym: a search for `term` then also finds the results of `meant`. */
export const addSynonym = staffWrite('/api/backstage/synonym/add', '添加搜索同义词', {
  input: z.object({ term: text(TERM_MAX, { min: 2, label: '搜索词' }), meant, note, reason }),
  data: nothing,
});

export const changeSynonym = staffWrite('/api/backstage/synonym/change', '修改搜索同义词', {
  input: z.object({ synonymId, version, meant, note, reason }),
  data: nothing,
});

export const endSynonym = staffWrite('/api/backstage/synonym/end', '停用搜索同义词', {
  input: z.object({ synonymId, version, reason }),
  data: nothing,
});

/** Removes a keyword without results from the list. */
export const dropMiss = staffWrite('/api/backstage/synonym/dropMiss', '不处理的无结果搜索', {
  input: z.object({ missId: int({ min: 1, label: '搜索词' }) }),
  data: nothing,
});
