import { upload } from '#contract/common.ts';
import { staffImUpload } from '#contract/im-staff.ts';
import type { Binding } from '#server/slices.ts';
import { registerPictures } from './pictures.ts';
import { takeUpload } from './upload.ts';

/** Pictures: uploaded ones and drawn ones. */
export function bindMedia({ ctx, server, http }: Binding): void {
  server.serve(upload, (call, { purpose }) => takeUpload(call, { userId: call.user.id, staffId: null }, purpose));
  server.serve(staffImUpload, (call) => takeUpload(call, { userId: null, staffId: call.staff.id }, 'chat'));
  registerPictures(http, ctx);
}
