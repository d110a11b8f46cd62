import { z } from 'zod';
import { time, text, typed, flag } from '#contract/wire.ts';
import { endpoint } from '#contract/endpoint.ts';
import { typedIdCard } from '#contract/rules/texts/typed.ts';
import { idCardProblem } from '#subjects/verification/rules/id-card.ts';

const certificate = z.object({
  authStatus: z.number().int(),
  nameMask: z.string().nullable(),
  idMask: z.string().nullable(),
  isAdult: z.boolean(),
  /** False if the operator switched real-name checks off: no one can be verified here. */
  isOpen: z.boolean(),
  verifiedTime: time.nullable(),
  /** A check by face, if the operator offers it; otherwise null. */
  face: z
    .object({
      /** Address of the vendor's script in the browser, whose `getMetaInfo()` gives `metaInfo`; null if none is needed. */
      script: z.string().nullable(),
      /** A check was begun and has not ended. */
      isBegun: z.boolean(),
    })
    .nullable(),
});

export const certificateInfo = endpoint({
  method: 'GET',
  path: '/api/comm/certificateInfo',
  auth: 'login',
  summary: '我的实名状态',
  input: z.object({}),
  data: certificate,
  limit: 'read',
});

export const queryCertificateInfo = endpoint({
  method: 'GET',
  path: '/api/comm/queryCertificateInfo',
  auth: 'login',
  summary: '实名认证结果',
  input: z.object({}),
  data: certificate,
  limit: 'read',
});

const person = {
  realName: text(32, { min: 2, label: '姓名' }),
  idCard: typed(
    typedIdCard,
    z.string({ error: '身份证号不能为空' }).superRefine((number, issues) => {
      const problem = idCardProblem(number, Date.now());
      if (problem !== null) issues.addIssue({ code: 'custom', message: problem });
    }),
  ),
};

/** Submits a real-name verification. The specification names only the calls for its state and its result. */
export const submitCertificate = endpoint({
  method: 'POST',
  path: '/api/comm/submitCertificate',
  auth: 'login',
  summary: '提交实名认证',
  input: z.object(person),
  data: certificate,
  limit: 'verify',
});

/**
 * Begins a real-name verification by face instead of by number alone, at a page of the vendor's. The user consents to it separately from everything
 * else and may choose the other way (docs/decisions/302).
 */
export const beginFaceCheck = endpoint({
  method: 'POST',
  path: '/api/comm/beginFaceCheck',
  auth: 'login',
  summary: '开始人脸核验',
  input: z.object({
    ...person,
    /** The device information from the vendor's script. */
    metaInfo: text(4000, { label: '设备信息' }).default(''),
    isAgreed: flag.refine((agreed) => agreed, '请先同意人脸核验的说明'),
  }),
  /** The page for the user. */
  data: z.object({ url: z.string() }),
  limit: 'verify',
});

/** Records the result of the last check that was begun. */
export const finishFaceCheck = endpoint({
  method: 'POST',
  path: '/api/comm/finishFaceCheck',
  auth: 'login',
  summary: '查看人脸核验的结果',
  input: z.object({}),
  data: certificate,
  limit: 'verify',
});
