import { imagesTempUploadToken, qiniuToken, uploadDone } from '#subjects/media/contract/direct-uploads.ts';
import { uploadVoice } from '#subjects/media/contract/voice.ts';
import { upload } from '#subjects/media/contract/pictures.ts';
import {
  staffEvidenceUpload,
  staffContentUpload,
  uploadGameIcon,
  staffImUpload,
} from '#subjects/media/contract/staff-uploads.ts';
import { requirePermission, requirePlatform } from '#server/access/permissions.ts';
import type { Binding } from '#server/binding.ts';
import { finishUpload, registerDirect, uploadTicket } from './direct.ts';
import { registerPictures } from './pictures.ts';
import { takeUpload } from './upload.ts';
import { registerVoices, takeVoice } from './voices.ts';

/** Pictures, uploaded ones and drawn ones, and voices. */
export function bindMedia(binding: Binding): void {
  const { ctx, server, http } = binding;
  server.serve(upload, (call, { purpose }) => takeUpload(call, { userId: call.user.id, staffId: null }, purpose));
  server.serve(uploadVoice, takeVoice);
  server.serve(staffImUpload, async (call) => {
    requirePermission(call.staff, 'chat.serve');
    return await takeUpload(call, { userId: null, staffId: call.staff.id }, 'chat');
  });
  server.serve(staffEvidenceUpload, async (call) => {
    requirePermission(call.staff, 'order.act');
    return await takeUpload(call, { userId: null, staffId: call.staff.id }, 'evidence');
  });
  server.serve(staffContentUpload, async (call) => {
    requirePermission(call.staff, 'content.write');
    return await takeUpload(call, { userId: null, staffId: call.staff.id }, 'content');
  });
  server.serve(uploadGameIcon, async (call) => {
    requirePlatform(call.staff, 'game.edit');
    return await takeUpload(call, { userId: null, staffId: call.staff.id }, 'content');
  });
  server.serve(imagesTempUploadToken, (call, { purpose }) => uploadTicket(call, purpose, true));
  server.serve(qiniuToken, (call, { purpose }) => uploadTicket(call, purpose, false));
  server.serve(uploadDone, finishUpload);
  registerDirect(binding);
  registerPictures(http, ctx, binding.limiter);
  registerVoices(http, ctx);
}
