import { useMedia } from '#web/lib/browser/use-media.ts';

/** Whether the screen is phone-sized; false on the server, corrected with the first paint in the browser. */
export function usePhone(): boolean {
  return useMedia('(max-width: 767px)');
}
