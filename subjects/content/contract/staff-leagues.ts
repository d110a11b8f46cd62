import { z } from 'zod';
import { staffRead, staffWrite } from '#contract/endpoint.ts';
import { MATCH_FORMATS, matchStatuses } from '../rules/league.ts';
import {
  chinaDayField,
  chinaTime,
  int,
  listTail,
  nothing,
  optionalInt,
  optionalText,
  paging,
  text,
  time,
} from '#contract/wire.ts';

const id = int({ min: 1, max: 2_147_483_647, label: '编号' });
const optionalId = optionalInt({ min: 1, max: 2_147_483_647, label: '编号' });
/** The version that the editor has seen; needed with an id. */
const version = optionalInt({ min: 1, max: 1_000_000_000, label: '版本' });
const gameId = int({ min: 1, max: 1_000_000, label: '游戏' });
const teamId = (label: string) => int({ min: 1, max: 1_000_000_000, label });
const score = (label: string) => int({ max: 4, label }).default(0);
const pictureKey = optionalText(80, '图片');

const league = {
  id: z.number().int(),
  distId: z.number().int().nullable(),
  distName: z.string(),
  gameId: z.number().int(),
  gameName: z.string(),
  name: z.string(),
  stage: z.string(),
  startDay: z.string(),
  endDay: z.string(),
  /** 0 draft, 1 published, 2 withdrawn. */
  status: z.number().int(),
  sort: z.number().int(),
  logo: z.string().nullable(),
  version: z.number().int(),
};

export const staffLeagueList = staffRead('/api/backstage/league/list', '赛事管理', {
  input: z.object({
    ...paging,
    status: optionalInt({ max: 2, label: '状态' }),
    gameId: optionalInt({ min: 1, max: 1_000_000, label: '游戏' }),
    keyWord: optionalText(40, '关键词'),
  }),
  data: z.object({
    list: z.array(
      z.object({
        ...league,
        matches: z.number().int(),
        /** Matches that should have begun but are still marked as not begun: their score must be entered. */
        overdue: z.number().int(),
        nextTime: time.nullable(),
      }),
    ),
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
    ...listTail,
  }),
  limit: 'search',
});

/** A league for its editor, with the available choices; null for a new one. */
export const staffLeagueInfo = staffRead('/api/backstage/league/info', '赛事内容', {
  input: z.object({ id: optionalId }),
  data: z.object({
    league: z.object(league).nullable(),
    sites: z.array(z.object({ distId: z.number().int(), name: z.string() })),
    games: z.array(z.object({ gameId: z.number().int(), name: z.string() })),
    /** Teams that can play in this league. */
    teams: z.array(z.object({ teamId: z.number().int(), name: z.string() })),
  }),
});

/** Saves a league; a published one changes immediately. New ones are drafts. */
export const saveLeague = staffWrite('/api/backstage/league/save', '保存赛事', {
  input: z.object({
    id: optionalId,
    version,
    distId: optionalInt({ min: 1, max: 1_000_000, label: '站点' }),
    gameId,
    name: text(30, { min: 2, label: '赛事名称' }),
    stage: text(20, { label: '阶段' }).default(''),
    startDay: chinaDayField('开始日期'),
    endDay: chinaDayField('结束日期'),
    sort: int({ max: 999, label: '排序' }).default(0),
    pictureKey,
  }),
  data: z.object({ id: z.number().int(), version: z.number().int() }),
});

export const publishLeague = staffWrite('/api/backstage/league/publish', '发布或撤下赛事', {
  input: z.object({ id, act: z.enum(['publish', 'withdraw'], { error: '操作不正确' }) }),
  data: z.object({ status: z.number().int() }),
});

const teamOf = z.object({
  teamId: z.number().int(),
  name: z.string(),
  logo: z.string().nullable(),
  score: z.number().int(),
});

/** The matches of a league, earliest first. */
export const staffMatchList = staffRead('/api/backstage/league/matchList', '赛事的比赛', {
  input: z.object({
    ...paging,
    leagueId: id,
    status: z.enum(matchStatuses, { error: '状态不正确' }).optional(),
  }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        startTime: time,
        bestOf: z.number().int(),
        status: z.enum(matchStatuses),
        isOverdue: z.boolean(),
        home: teamOf,
        away: teamOf,
        watchUrl: z.string().nullable(),
        version: z.number().int(),
      }),
    ),
    ...listTail,
  }),
});

export const saveMatch = staffWrite('/api/backstage/league/saveMatch', '保存比赛', {
  input: z.object({
    id: optionalId,
    version,
    leagueId: id,
    homeId: teamId('主队'),
    awayId: teamId('客队'),
    startTime: chinaTime('开赛时间'),
    bestOf: int({ min: 1, max: 7, label: '局数' }).refine((n) => MATCH_FORMATS.includes(n), '局数应为 1、3、5 或 7'),
    homeScore: score('主队比分'),
    awayScore: score('客队比分'),
    status: z.enum(matchStatuses, { error: '请选择状态' }),
    watchUrl: z
      .string()
      .max(300, '观看地址不能超过 300 个字符')
      .regex(/^(https?:\/\/[^\s/]\S*)?$/, '观看地址应以 https:// 开头')
      .default(''),
  }),
  data: z.object({ id: z.number().int(), version: z.number().int() }),
});

export const removeMatch = staffWrite('/api/backstage/league/removeMatch', '删除比赛', {
  input: z.object({ id, version: int({ min: 1, max: 1_000_000_000, label: '版本' }) }),
  data: nothing,
});

export const staffTeamList = staffRead('/api/backstage/league/teamList', '战队', {
  input: z.object({ ...paging, keyWord: optionalText(40, '关键词') }),
  data: z.object({
    list: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        shortName: z.string(),
        logo: z.string().nullable(),
        matches: z.number().int(),
        /** The owner; '' is the platform, whose entry staff of a brand can choose but not change. */
        distName: z.string(),
        mayEdit: z.boolean(),
        version: z.number().int(),
      }),
    ),
    ...listTail,
  }),
  limit: 'search',
});

export const saveTeam = staffWrite('/api/backstage/league/saveTeam', '保存战队', {
  input: z.object({
    id: optionalId,
    version,
    name: text(20, { min: 1, label: '战队名称' }),
    shortName: text(6, { min: 1, label: '简称' }),
    pictureKey,
  }),
  data: z.object({ id: z.number().int(), version: z.number().int() }),
});

/** Removes a team that has no match. */
export const removeTeam = staffWrite('/api/backstage/league/removeTeam', '删除战队', {
  input: z.object({ id }),
  data: nothing,
});
