import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { nothing, optionalText, time } from './wire.ts';

/** Own files of data, newest first, and from when the next may be asked for (null = now). */
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
        /** Where an ordinary link fetches it with the owner's session; null when there is nothing to fetch. */
        url: z.string().nullable(),
        expireTime: time.nullable(),
        createTime: time,
      }),
    ),
  }),
  limit: 'read',
});

/** Asks for a file of one's own data, once a day, by whoever has proved to be the owner. */
export const requestDataExport = endpoint({
  method: 'POST',
  path: '/api/user/askDataExport',
  auth: 'login',
  summary: '申请导出个人数据',
  input: z.object({
    payPassword: z.string().max(64).optional(),
    smsCode: optionalText(8, '验证码'),
  }),
  data: nothing,
  limit: 'write',
});

/** The path of a file, served beside the calls: the session's cookie decides whose it is. */
export const DATA_EXPORT_PATH = '/api/user/dataExportFile';
