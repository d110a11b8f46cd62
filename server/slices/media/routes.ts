import { imagesTempUploadToken, qiniuToken, uploadDone } from '#contract/comm-more.ts';
import { upload } from '#contract/common.ts';
import { staffEvidenceUpload } from '#contract/backstage-orders.ts';
import { staffImUpload } from '#contract/im-staff.ts';
import { requirePermission } from '#server/access/permissions.ts';
import type { Binding } from '#server/binding.ts';
import { finishUpload, registerDirect, uploadTicket } from './direct.ts';
import { registerPictures } from './pictures.ts';
import { takeUpload } from './upload.ts';

/** Pictures: uploaded ones and drawn ones. */
export function bindMedia(binding: Binding): void {
  const { ctx, server, http } = binding;
  server.serve(upload, (call, { purpose }) => takeUpload(call, { userId: call.user.id, staffId: null }, purpose));
  server.serve(staffImUpload, async (call) => {
    requirePermission(call.staff, 'chat.serve');
    return await takeUpload(call, { userId: null, staffId: call.staff.id }, 'chat');
  });
  server.serve(staffEvidenceUpload, async (call) => {
    requirePermission(call.staff, 'order.act');
    return await takeUpload(call, { userId: null, staffId: call.staff.id }, 'evidence');
  });
  server.serve(imagesTempUploadToken, (call, { purpose }) => uploadTicket(call, purpose, true));
  server.serve(qiniuToken, (call, { purpose }) => uploadTicket(call, purpose, false));
  server.serve(uploadDone, finishUpload);
  registerDirect(binding);
  registerPictures(http, ctx);
}
