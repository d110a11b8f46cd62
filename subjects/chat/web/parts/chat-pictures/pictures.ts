import { IMAGE_STAGGER_MS, imageProblem } from '#contract/rules/limits.ts';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** Maximum number of pictures of one paste, drop or selection. */
export const MAX_IMAGES = 9;

/**
 * Sends pictures one after another, each after its check (product.md 5); those that cannot be sent are reported and
 * skipped.
 */
export function sendImages(files: readonly File[], send: (file: File) => void): void {
  const good = files.slice(0, MAX_IMAGES).filter((file) => {
    const problem = imageProblem(file.type, file.size);
    if (problem) toast(problem, 'warn');
    return problem === null;
  });
  if (files.length > MAX_IMAGES) toast(`一次最多发送 ${MAX_IMAGES} 张图片`, 'warn');
  for (const [index, file] of good.entries()) setTimeout(() => send(file), index * IMAGE_STAGGER_MS);
}
