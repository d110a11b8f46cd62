import { AppError } from '#server/kernel/errors.ts';

/** Runs an action on several items, one after the other. An item that is rejected (`AppError`) does not stop the others; any other failure does. */
export async function inBulk(
  keys: readonly string[],
  run: (key: string) => Promise<unknown>,
): Promise<{ done: string[]; refused: { key: string; text: string }[] }> {
  const done: string[] = [];
  const refused: { key: string; text: string }[] = [];
  for (const key of new Set(keys)) {
    try {
      await run(key);
      done.push(key);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push({ key, text: error.text });
    }
  }
  return { done, refused };
}
