import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import {
  applied,
  applyFields,
  changeFields,
  hours,
  visibleHours,
  packageChanges,
  providerRecord,
  serviceGames,
  servicePackage,
} from '#subjects/providers/contract/provider.ts';
import { int, json, optionalInt, optionalText } from '#contract/wire.ts';
import { voice } from '#subjects/media/contract/voice.ts';

const genders = ['female', 'male', 'secret'] as const;

const tags = json(z.array(z.string().trim().min(1).max(10, '标签不能超过 10 个字')).max(8, '标签最多 8 个'), '标签');

const voiceKey = z
  .string()
  .max(60)
  .regex(/^[a-z2-7]{26}-[1-9]\d?\.(?:mp3|m4a|wav)$/, '请上传语音');

/** Needs a verified adult (domain.md 7: no service by or for minors). */
export const accompanyerApply = endpoint({
  method: 'POST',
  path: '/api/accompanyer/accompanyerApply',
  auth: 'login',
  summary: '申请成为陪玩',
  input: z.object({
    ...applyFields,
    gender: z.enum(genders, { error: '请选择性别' }).default('secret'),
    city: optionalText(20, '城市'),
    tags: tags.default([]),
    trialMinutes: int({ min: 0, max: 30, label: '试玩时长' }).default(0),
    hours: hours.default([]),
    voice: voiceKey,
  }),
  data: applied,
  idempotent: true,
  limit: 'publish',
});

/** `accompanyer` is null for a user who has never applied. */
export const getAccompanyerInfo = endpoint({
  method: 'GET',
  path: '/api/accompanyer/getAccompanyerInfo',
  auth: 'login',
  summary: '我的陪玩资料与套餐',
  input: z.object({}),
  data: z.object({
    accompanyer: z
      .object({
        ...providerRecord,
        gender: z.enum(genders),
        city: z.string(),
        tags: z.array(z.string()),
        trialMinutes: z.number().int(),
        hours: visibleHours,
        voice: voice.nullable(),
        packages: z.array(servicePackage),
        openOrders: z.number().int(),
        maxOpenOrders: z.number().int(),
        noShows: z.number().int(),
      })
      .nullable(),
    /** Games in which companion play can be offered, with the kinds of service to choose from. */
    serviceGames,
  }),
  limit: 'read',
});

/** Updates profile, online switch, hours and packages in one call. Absent fields are left unchanged. */
export const updateAccompanyer = endpoint({
  method: 'POST',
  path: '/api/accompanyer/updateAccompanyer',
  auth: 'login',
  summary: '修改陪玩资料与套餐',
  input: z.object({
    ...changeFields,
    gender: z.enum(genders, { error: '请选择性别' }).optional(),
    city: optionalText(20, '城市'),
    tags: tags.optional(),
    trialMinutes: optionalInt({ max: 30, label: '试玩时长' }),
    hours: hours.optional(),
    voice: voiceKey.optional(),
    packages: packageChanges.optional(),
  }),
  data: applied.extend({ packages: z.array(servicePackage) }),
  idempotent: true,
  limit: 'publish',
});
