/** Limits of companions' voice clips, checked by browser and server. */
export const VOICE_MAX_BYTES = 2 * 1024 * 1024;
export const VOICE_MAX_SECONDS = 60;
export const VOICE_MIN_SECONDS = 3;
/** For the file field of a form. */
export const VOICE_ACCEPT = '.mp3,.m4a,.wav,audio/mpeg,audio/mp4,audio/x-m4a,audio/wav';
