import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { nothing, optionalCode, time } from '#contract/wire.ts';

/** Days for which a data file can be downloaded. */
export const EXPORT_RETENTION_DAYS = 7;

/** The caller's data files, newest first, and when the next one can be requested (null = now). */
export const dataExportList = endpoint({
  method: 'GET',
  path: '/api/user/dataExports',
  auth: 'login',
  summary: '个人数据导出记录',
  input: z.object({}),
  data: z.object({
    nextTime: time.nullable(),
    list: z.array(
      z.object({
        exportId: z.number().int(),
        status: z.enum(['waiting', 'ready', 'removed']),
        bytes: z.number().int().nullable(),
        /** Download link that works with the owner's session; null when there is no file. */
        url: z.string().nullable(),
        expireTime: time.nullable(),
        createTime: time,
      }),
    ),
  }),
  limit: 'read',
});

/** Requests a file with the caller's own data, once a day. Needs a step-up by the account's owner. */
export const requestDataExport = endpoint({
  method: 'POST',
  path: '/api/user/askDataExport',
  auth: 'login',
  summary: '申请导出个人数据',
  input: z.object({
    payPassword: z.string().max(64).optional(),
    smsCode: optionalCode,
  }),
  data: nothing,
  limit: 'write',
});

/** Path of the download, served outside the API; the session cookie decides access. */
export const DATA_EXPORT_PATH = '/api/user/dataExportFile';
