import { z } from 'zod';
import { time } from '#contract/wire.ts';
import { endpoint } from '#contract/endpoint.ts';

const purpose = z.enum(['goods', 'chat', 'avatar', 'evidence'], { error: '图片用途不正确' }).default('goods');

/**
 * Where and how to upload a file: a multipart POST with every one of `fields` first and `file` last, as object storages
 * require. S3 wants a field `Content-Type` with the file's type before the file. Call `uploadDone` with the key
 * afterwards.
 */
const uploadTicket = z.object({
  provider: z.enum(['local', 'qiniu', 's3']),
  uploadUrl: z.string(),
  /** Qiniu's upload token, also among the fields; '' for storages that authorise only by the fields. */
  token: z.string(),
  key: z.string(),
  /** Fields to be sent to the storage unchanged. */
  fields: z.record(z.string(), z.string()),
  maxBytes: z.number().int(),
  mimeTypes: z.array(z.string()),
  expireTime: time,
});

/** For one picture that is deleted unless it is attached to something. Key, size and type are fixed in the token. */
export const imagesTempUploadToken = endpoint({
  method: 'GET',
  path: '/api/comm/imagesTempUploadToken',
  auth: 'login',
  summary: '临时图片上传令牌',
  input: z.object({ purpose }),
  data: uploadTicket,
  limit: 'upload',
});

export const qiniuToken = endpoint({
  method: 'GET',
  path: '/api/comm/qiniuToken',
  auth: 'login',
  summary: '图片上传令牌',
  input: z.object({ purpose }),
  data: uploadTicket,
  limit: 'upload',
});

/**
 * Called after a direct upload: the server reads the file, re-encodes it and returns the key that other calls accept.
 */
export const uploadDone = endpoint({
  method: 'POST',
  path: '/api/comm/uploadDone',
  auth: 'login',
  summary: '直传完成',
  input: z.object({ key: z.string({ error: '图片不能为空' }).regex(/^[\w/.-]{1,120}$/, '图片不正确'), purpose }),
  data: z.object({ key: z.string(), imageUri: z.string(), width: z.number().int(), height: z.number().int() }),
  limit: 'upload',
});
