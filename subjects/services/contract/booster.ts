import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import {
  applied,
  applyFields,
  changeFields,
  packageChanges,
  providerRecord,
  serviceGames,
  servicePackage,
} from '#subjects/providers/contract/provider.ts';
import { json } from '#contract/wire.ts';

/** Rank and proof per game: as stated by the booster, checked by staff. */
const skills = json(
  z
    .array(
      z.object({
        gameId: z.number().int().min(1),
        rank: z.string().trim().min(1, '请填写段位或战力').max(40),
        note: z.string().trim().max(100).default(''),
      }),
    )
    .max(20, '最多填写 20 个游戏'),
  '擅长',
);
const visibleSkills = z.array(
  z.object({ gameId: z.number().int(), gameName: z.string(), rank: z.string(), note: z.string() }),
);

/** Needs a verified adult; returns the deposit that is still to be paid. */
export const boosterApply = endpoint({
  method: 'POST',
  path: '/api/booster/boosterApply',
  auth: 'login',
  summary: '申请成为代练',
  input: z.object({ ...applyFields, skills: skills.default([]) }),
  data: applied,
  idempotent: true,
  limit: 'publish',
});

/** `booster` is null for a user who has never applied. */
export const getBoosterInfo = endpoint({
  method: 'GET',
  path: '/api/booster/getBoosterInfo',
  auth: 'login',
  summary: '我的代练资料与套餐',
  input: z.object({}),
  data: z.object({
    booster: z
      .object({
        ...providerRecord,
        skills: visibleSkills,
        packages: z.array(servicePackage),
        openOrders: z.number().int(),
        maxOpenOrders: z.number().int(),
      })
      .nullable(),
    /** Games in which boosting can be offered, with the kinds of service to choose from. */
    serviceGames,
  }),
  limit: 'read',
});

/** Updates profile, switch and packages (page setMeal) in one call. Absent fields are left unchanged. */
export const updateBooster = endpoint({
  method: 'POST',
  path: '/api/booster/updateBooster',
  auth: 'login',
  summary: '修改代练资料与套餐',
  input: z.object({ ...changeFields, skills: skills.optional(), packages: packageChanges.optional() }),
  data: applied.extend({ packages: z.array(servicePackage) }),
  idempotent: true,
  limit: 'publish',
});
