import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { paging, optionalInt, time, listTail } from '#contract/wire.ts';
import { matchStatuses } from '#subjects/content/rules/league.ts';

const team = z.object({
  name: z.string(),
  shortName: z.string(),
  logo: z.string().nullable(),
  score: z.number().int(),
});

/** Matches around a day of China (2026-11-20), earliest first; without a day, from today on. */
export const getLeagueMatchList = endpoint({
  method: 'GET',
  path: '/api/goods/getLeagueMatchList',
  auth: 'public',
  summary: '赛事列表',
  input: z.object({
    ...paging,
    gameId: optionalInt({ max: 1_000_000, label: '游戏' }),
    leagueId: optionalInt({ max: 1_000_000, label: '赛事' }),
    day: z
      .string()
      .regex(/^\d{4}-\d{2}-\d{2}$/, '日期格式不正确')
      .optional(),
  }),
  data: z.object({
    leagues: z.array(
      z.object({
        leagueId: z.number().int(),
        name: z.string(),
        gameId: z.number().int(),
        logo: z.string().nullable(),
        matches: z.number().int(),
      }),
    ),
    days: z.array(z.object({ day: z.string(), matches: z.number().int() })),
    list: z.array(
      z.object({
        id: z.number().int(),
        leagueId: z.number().int(),
        leagueName: z.string(),
        stage: z.string(),
        gameId: z.number().int(),
        gameName: z.string(),
        startTime: time,
        bestOf: z.number().int(),
        status: z.enum(matchStatuses),
        statusName: z.string(),
        home: team,
        away: team,
        watchUrl: z.string().nullable(),
      }),
    ),
    ...listTail,
  }),
  limit: 'read',
});
