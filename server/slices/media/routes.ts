import { upload } from '#contract/common.ts';
import type { Binding } from '#server/slices.ts';
import { registerPictures } from './pictures.ts';
import { takeUpload } from './upload.ts';

/** Pictures: uploaded ones and drawn ones. */
export function bindMedia({ ctx, server, http }: Binding): void {
  server.serve(upload, (call, { purpose }) => takeUpload(call, purpose));
  registerPictures(http, ctx);
}
