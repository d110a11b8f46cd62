import type { StaffCall } from '#server/access/call.ts';
import { AppError } from '#server/kernel/errors.ts';

/** The file of a multipart body with a name that is safe to show. Throws BAD_INPUT, BODY_TOO_LARGE, in the words given. */
export async function fileOf(
  call: StaffCall,
  words: { missing: string; tooLarge: string; name: string },
): Promise<{ name: string; body: Buffer }> {
  const request = call.http?.request;
  if (!request?.isMultipart()) throw new AppError('BAD_INPUT', { text: words.missing });
  try {
    const part = await request.file();
    if (!part) throw new AppError('BAD_INPUT', { text: words.missing });
    const body = await part.toBuffer();
    const name = part.filename.replace(/[^\p{L}\p{N}._() -]/gu, '').slice(-80) || words.name;
    return { name, body };
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = error as { code?: unknown };
    throw code === 'FST_REQ_FILE_TOO_LARGE'
      ? new AppError('BODY_TOO_LARGE', { text: words.tooLarge, cause: error })
      : new AppError('BAD_REQUEST', { cause: error });
  }
}
