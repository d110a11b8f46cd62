import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { type GameDoc, gameDoc } from './game-doc.ts';
import { gameParts } from '../rules/game-diff.ts';
import { flag, int, json, nothing, optionalInt, optionalText, text, time } from '#contract/wire.ts';

/** Body limit for a game with thousands of servers as form fields; other calls have a much lower limit (server/app.ts). */
const DOC_BYTES = 2 * 1024 * 1024;

const DOC_CHARS = 1_000_000;

const gameId = int({ min: 1, max: 1_000_000, label: '游戏' });

const version = int({ max: 1_000_000_000, label: '版本' });

const rev = int({ max: 1_000_000_000, label: '草稿' });

const reason = text(100, { min: 2, label: '原因' });

const codes = json(z.array(z.string().max(20)).min(1, '请至少选择一个游戏').max(500, '一次最多 500 个游戏'), '游戏');

/** A stored document, unchecked: an older one need not satisfy the current rules. */
const storedDoc = z.custom<GameDoc>((value) => typeof value === 'object' && value !== null);

const problem = z.object({ path: z.string(), text: z.string() });

const change = z.object({
  part: z.enum(gameParts),
  kind: z.enum(['add', 'change', 'off']),
  text: z.string(),
});

const draftMark = z.object({ rev: z.number().int(), time, staffName: z.string().nullable(), isMine: z.boolean() });

export const gameStates = ['open', 'hidden', 'new'] as const;

/** Every game, including hidden (`hidden`) and never published (`new`) ones. */
export const staffGameList = staffRead('/api/backstage/game/list', '游戏与目录', {
  input: z.object({
    keyWord: optionalText(40, '关键词'),
    state: z.enum(gameStates).optional(),
    type: optionalInt({ min: 1, max: 2, label: '类型' }),
  }),
  data: z.object({
    list: z.array(
      z.object({
        gameId: z.number().int(),
        code: z.string(),
        name: z.string(),
        gameType: z.number().int(),
        icon: z.string(),
        state: z.enum(gameStates),
        hot: z.number().int(),
        version: z.number().int(),
        publishTime: time.nullable(),
        areas: z.number().int(),
        servers: z.number().int(),
        fields: z.number().int(),
        goodsTypes: z.array(z.string()),
        onSale: z.number().int(),
        draft: draftMark.nullable(),
      }),
    ),
    /** The number of games in each state, regardless of the filters. */
    counts: z.object({ open: z.number().int(), hidden: z.number().int(), new: z.number().int() }),
    may: z.object({ edit: z.boolean(), publish: z.boolean() }),
  }),
});

export type StaffGame = z.output<typeof staffGameList.data>['list'][number];

const versionRow = z.object({
  version: z.number().int(),
  source: z.enum(['staff', 'file', 'shipped', 'rollback', 'before']),
  reason: z.string(),
  staffName: z.string().nullable(),
  createTime: time,
  changes: z.array(change),
});

export type GameVersionRow = z.output<typeof versionRow>;

/** A game for its editors: the published version and the shared draft. */
export const staffGameInfo = staffRead('/api/backstage/game/info', '游戏的编辑内容', {
  input: z.object({ gameId }),
  data: z.object({
    gameId: z.number().int(),
    state: z.enum(gameStates),
    version: z.number().int(),
    icon: z.string(),
    doc: storedDoc,
    draft: draftMark.extend({ base: z.number().int(), doc: storedDoc }).nullable(),
    problems: z.array(problem),
    changes: z.array(change),
    onSale: z.number().int(),
    versions: z.array(versionRow),
    /** The default steps of a new goods type. */
    usual: z.custom<GameDoc['handover']>((value) => typeof value === 'object' && value !== null),
    may: z.object({ edit: z.boolean(), publish: z.boolean() }),
  }),
});

export const staffGameVersion = staffRead('/api/backstage/game/version', '游戏的一个版本', {
  input: z.object({ gameId, version }),
  data: z.object({
    doc: storedDoc,
    /** Changes to the published version by restoring it, and the problems that prevent it. */
    changes: z.array(change),
    problems: z.array(problem),
  }),
});

/** Creates a game, hidden until it is published. `like`: form and steps are copied from another game. */
export const createGame = staffWrite('/api/backstage/game/create', '新建游戏', {
  input: z.object({
    name: text(20, { min: 1, label: '游戏名称' }),
    code: z
      .string({ error: '请填写编码' })
      .regex(/^[a-z][a-z0-9]{1,19}$/, '编码应为 2 到 20 位小写字母或数字，以字母开头'),
    gameType: int({ min: 1, max: 2, label: '类型' }),
    like: optionalInt({ min: 1, max: 1_000_000, label: '参照的游戏' }),
  }),
  data: z.object({ gameId: z.number().int() }),
  idempotent: true,
});

/**
 * Saves the draft. `rev` is the draft that the editor has seen (0 = none), `base` the version that the draft is based on. When another editor
 * has saved since, nothing is stored (GAME_CHANGED, field `rev`). A draft may be unfinished: `problems` lists what prevents publishing it.
 */
export const saveGameDraft = staffWrite('/api/backstage/game/save', '保存游戏草稿', {
  input: z.object({ gameId, rev, base: version, doc: json(gameDoc, '游戏内容', DOC_CHARS) }),
  data: z.object({
    rev: z.number().int(),
    time,
    problems: z.array(problem),
    changes: z.array(change),
  }),
  maxBytes: DOC_BYTES,
});

/** Deletes the draft; a game that was never published is deleted with it. */
export const dropGameDraft = staffWrite('/api/backstage/game/drop', '放弃游戏草稿', {
  input: z.object({ gameId, rev }),
  data: z.object({ isGone: z.boolean() }),
});

const effect = z.object({ tone: z.enum(['ok', 'warn']), text: z.string() });

export type GameEffect = z.output<typeof effect>;

/** The effect of publishing the draft on listings: counts, and a trial on three real ones. */
export const gameEffects = staffRead('/api/backstage/game/effects', '发布草稿对商品的影响', {
  input: z.object({ gameId }),
  data: z.object({
    rev: z.number().int(),
    onSale: z.number().int(),
    effects: z.array(effect),
    tried: z.array(effect.extend({ goodsSn: z.string() })),
  }),
});

/** Publishes the draft `rev` over the published version that the caller has read. All nodes show it within two seconds. */
export const publishGame = staffWrite('/api/backstage/game/publish', '发布游戏', {
  input: z.object({ gameId, rev, version, reason, open: flag.default(false) }),
  data: z.object({ gameId: z.number().int(), version: z.number().int() }),
});

export const rollbackGame = staffWrite('/api/backstage/game/rollback', '退回游戏的一个版本', {
  input: z.object({ gameId, version, live: version, reason }),
  data: z.object({ version: z.number().int() }),
});

/** Shows a game on the sites or hides it. Existing orders continue. */
export const setGameStatus = staffWrite('/api/backstage/game/status', '游戏上线或下线', {
  input: z.object({ gameId, open: flag, reason }),
  data: nothing,
});

const importReport = z.object({
  applied: z.boolean(),
  digest: z.string(),
  errors: z.array(z.object({ line: z.number().int().nullable(), path: z.string(), text: z.string() })),
  games: z.array(
    z.object({
      code: z.string(),
      name: z.string(),
      gameId: z.number().int().nullable(),
      state: z.enum(['new', 'changed', 'same']),
      changes: z.array(change),
    }),
  ),
});

export type GameImportReport = z.output<typeof importReport>;

const applying = {
  /** False = trial only. */
  apply: flag.default(false),
  /** The digest of the trial that was shown; rejected when the file or the catalogue has changed. */
  digest: optionalText(60, '试读'),
  reason: reason.default('导入游戏'),
};

/** A file of games, as multipart; a single error prevents the whole import. */
export const importGameFile = staffWrite('/api/backstage/game/import', '导入游戏文件', {
  file: { about: '游戏文件（JSON），不超过 10 MB' },
  input: z.object(applying),
  data: importReport,
  limit: 'upload',
});

export const loadShippedGames = staffWrite('/api/backstage/game/load', '从自带目录添加游戏', {
  input: z.object({ codes, ...applying }),
  data: importReport,
});

/** The games that come with the program. */
export const shippedGames = staffRead('/api/backstage/game/shipped', '自带目录的游戏', {
  input: z.object({}),
  data: z.object({
    list: z.array(
      z.object({
        code: z.string(),
        name: z.string(),
        gameType: z.number().int(),
        areas: z.number().int(),
        servers: z.number().int(),
        fields: z.number().int(),
        isLoaded: z.boolean(),
      }),
    ),
  }),
});

/** All published games, or those with these codes, as the text of one file. */
export const exportGameFile = staffRead('/api/backstage/game/export', '导出游戏文件', {
  input: z.object({ codes: codes.optional() }),
  data: z.object({ fileName: z.string(), file: z.string() }),
});
