import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';

export const voice = z.object({ key: z.string(), url: z.string(), seconds: z.number().int() });

/** Stores a voice clip (MP3, M4A or WAV, 3 to 60 seconds, at most 2 MB) for an application; it is not played to others before its review. */
export const uploadVoice = endpoint({
  method: 'POST',
  path: '/api/accompanyer/uploadVoice',
  auth: 'login',
  summary: '上传语音',
  file: { about: 'MP3、M4A 或 WAV，不超过 2 MB' },
  input: z.object({}),
  data: voice,
  limit: 'upload',
});
