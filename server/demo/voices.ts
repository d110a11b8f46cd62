import type { Context } from '#server/context.ts';
import { storeVoiceFile } from '#subjects/media/server/service.ts';
import { toneFile, toneKey, TONES } from './tones.ts';

/** Stores the missing voice files of the demo. */
export async function storeDemoVoices(ctx: Context): Promise<void> {
  for (const tone of TONES) await storeVoiceFile(ctx, toneKey(tone), () => toneFile(tone));
}
