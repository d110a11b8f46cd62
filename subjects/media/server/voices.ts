import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { uploadVoice } from '#subjects/media/contract/voice.ts';
import type { HandlerResult } from '#contract/endpoint.ts';
import { VOICE_MAX_BYTES, VOICE_MAX_SECONDS, VOICE_MIN_SECONDS } from '#subjects/services/rules/voice.ts';
import type { UserCall } from '#server/access/call.ts';
import type { Context } from '#server/context.ts';
import { AppError } from '#server/kernel/errors.ts';
import { secondsOfVoice, voiceKey } from './rules.ts';
import { voiceUrl } from './service.ts';
import { randomKey, readFilePart, takeDaily } from './upload.ts';
import { readVoiceHeader, type VoiceHeader } from './voice-header.ts';

const ENDINGS: Readonly<Record<VoiceHeader['mime'], string>> = {
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
};
const MIMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ENDINGS).map(([mime, ending]) => [ending, mime]),
);

const invalid = (text: string): never => {
  throw new AppError('BAD_INPUT', { text, field: 'voice' });
};

/** Stores a voice clip after checking its format. Throws BAD_INPUT (field voice), RATE_LIMITED. */
export async function takeVoice({ ctx, http, user }: UserCall): Promise<HandlerResult<typeof uploadVoice>> {
  if (!http) throw new AppError('BAD_REQUEST');
  const { body } = await readFilePart(http.request, '请选择语音文件');
  if (body.length > VOICE_MAX_BYTES) invalid('语音不能超过 2M');
  const header = readVoiceHeader(body) ?? invalid('不是有效的语音文件，请上传 MP3、M4A 或 WAV');
  if (header.seconds > VOICE_MAX_SECONDS) invalid(`语音不能超过 ${VOICE_MAX_SECONDS} 秒`);
  if (header.seconds < VOICE_MIN_SECONDS) invalid(`语音至少 ${VOICE_MIN_SECONDS} 秒`);
  await takeDaily(ctx, `upload:${user.id}`);
  const seconds = Math.round(header.seconds);
  const key = `${randomKey()}-${seconds}.${ENDINGS[header.mime]}`;
  await ctx.storage.put(voiceKey(key), body, header.mime);
  await sql`insert into voice_clip (key, owner_id, mime, seconds, bytes, sha256)
    values (${key}, ${user.id}, ${header.mime}, ${seconds}, ${body.length}, ${createHash('sha256').update(body).digest()})`.execute(
    ctx.db,
  );
  return { key, url: voiceUrl(key), seconds };
}

/** Serves stored voices. */
export function registerVoices(http: FastifyInstance, ctx: Context): void {
  http.get<{ Params: { key: string } }>('/voice/:key', async (request, reply) => {
    const { key } = request.params;
    if (secondsOfVoice(key) === undefined) throw new AppError('NOT_FOUND');
    const found = await ctx.storage.read(voiceKey(key));
    if (!found) throw new AppError('NOT_FOUND');
    reply
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cross-origin-resource-policy', 'same-site')
      .header('x-content-type-options', 'nosniff')
      .header('content-length', found.bytes)
      .type(MIMES[key.split('.').at(-1) ?? ''] ?? 'application/octet-stream');
    return await reply.send(found.body);
  });
}
