import type { Call } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';

/** Reads the file of a multipart body, with a file name that is safe to display. Throws BAD_INPUT, BODY_TOO_LARGE, with messages from `texts`. */
export async function readUpload(
  call: Call,
  texts: { missing: string; tooLarge: string; name: string },
): Promise<{ name: string; body: Buffer }> {
  const request = call.http?.request;
  if (!request?.isMultipart()) throw new AppError('BAD_INPUT', { text: texts.missing });
  try {
    const part = await request.file();
    if (!part) throw new AppError('BAD_INPUT', { text: texts.missing });
    const body = await part.toBuffer();
    const name = part.filename.replace(/[^\p{L}\p{N}._() -]/gu, '').slice(-80) || texts.name;
    return { name, body };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = error as { code?: unknown };
    throw code === 'FST_REQ_FILE_TOO_LARGE'
      ? new AppError('BODY_TOO_LARGE', { text: texts.tooLarge, cause: error })
      : new AppError('BAD_REQUEST', { cause: error });
  }
}
