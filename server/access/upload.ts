import type { FastifyRequest } from 'fastify';
import { cacheKind, cacheOf } from '#server/caches.ts';
import type { Call } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';

/** The content of a multipart body: its fields, and its one file unless there is none or it is too large. */
interface Parts {
  fields: Readonly<Record<string, string>>;
  file: { body: Buffer; type: string; name: string } | undefined;
  isTooLarge: boolean;
}

declare module 'fastify' {
  // eslint-disable-next-line typescript/consistent-type-definitions -- only an interface can be merged into Fastify's own
  interface FastifyRequest {
    /** The parts of a multipart body, once they are read. */
    receivedParts?: Promise<Parts>;
  }
}

const FIELD_NAME = /^[A-Za-z_]\w{0,63}$/;

async function readParts(request: FastifyRequest): Promise<Parts> {
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let file: Parts['file'];
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        // The file is always read to its end: an earlier response would reset the connection instead of reaching the client.
        file = { body: await part.toBuffer(), type: part.mimetype, name: part.filename };
        continue;
      }
      const { fieldname, value, valueTruncated } = part;
      const isPlain = typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
      if (!FIELD_NAME.test(fieldname) || fieldname in fields || valueTruncated || !isPlain)
        throw new AppError('BAD_REQUEST');
      fields[fieldname] = value;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    if ((error as { code?: unknown }).code === 'FST_REQ_FILE_TOO_LARGE')
      return { fields, file: undefined, isTooLarge: true };
    throw new AppError('BAD_REQUEST', { cause: error });
  }
  return { fields: { ...fields }, file, isTooLarge: false };
}

/** The parts of a multipart body, read once, whatever their order. Throws BAD_REQUEST. */
export async function receiveParts(request: FastifyRequest): Promise<Parts> {
  request.receivedParts ??= readParts(request);
  return await request.receivedParts;
}

/** Maximum number of concurrent uploads of one owner, so that one user cannot fill memory and queue. */
const PER_OWNER = 10;
const runningUploads = cacheKind('access.runningUploads', () => new Map<string, number>());

/** Runs an upload of an owner, as 'u:5'. Throws RATE_LIMITED when too many of the owner's are running. */
export async function withinOwner<T>(ctx: Context, owner: string, work: () => Promise<T>): Promise<T> {
  const uploading = cacheOf(ctx, runningUploads);
  const running = uploading.get(owner) ?? 0;
  if (running >= PER_OWNER)
    throw new AppError('RATE_LIMITED', {
      text: `同时上传的文件不能超过 ${PER_OWNER} 个，请等前面的传完再继续`,
      retryAfterSeconds: 3,
    });
  uploading.set(owner, running + 1);
  try {
    return await work();
  } finally {
    const rest = (uploading.get(owner) ?? 1) - 1;
    if (rest === 0) uploading.delete(owner);
    else uploading.set(owner, rest);
  }
}

/** Reads the file of a multipart body, with a file name that is safe to display. Throws BAD_INPUT, BODY_TOO_LARGE, with messages from `texts`. */
export async function readUpload(
  call: Call,
  texts: { missing: string; tooLarge: string; name: string },
): Promise<{ name: string; body: Buffer }> {
  const request = call.http?.request;
  if (!request?.isMultipart()) throw new AppError('BAD_INPUT', { text: texts.missing, field: 'file' });
  const { file, isTooLarge } = await receiveParts(request);
  if (isTooLarge) throw new AppError('BODY_TOO_LARGE', { text: texts.tooLarge, field: 'file' });
  if (!file) throw new AppError('BAD_INPUT', { text: texts.missing, field: 'file' });
  return { name: file.name.replace(/[^\p{L}\p{N}._() -]/gu, '').slice(-80) || texts.name, body: file.body };
}
