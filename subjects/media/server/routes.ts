import { imagesTempUploadToken, qiniuToken, uploadDone } from '#subjects/media/contract/direct-uploads.ts';
import { uploadVoice } from '#subjects/media/contract/voice.ts';
import { upload } from '#subjects/media/contract/pictures.ts';
import type { Binding } from '#server/binding.ts';
import { finishUpload, registerDirect, uploadTicket } from './direct.ts';
import { registerPictures } from './pictures.ts';
import { bindUploadsOfStaff } from './staff/routes.ts';
import { takeUpload } from './upload.ts';
import { registerVoices, takeVoice } from './voices.ts';

/** Pictures, uploaded ones and drawn ones, and voices. */
export function bindMedia(binding: Binding): void {
  const { ctx, server, http } = binding;
  bindUploadsOfStaff(binding);
  server.serve(upload, (call, { purpose }) => takeUpload(call, { userId: call.user.id, staffId: null }, purpose));
  server.serve(uploadVoice, takeVoice);
  server.serve(imagesTempUploadToken, (call, { purpose }) => uploadTicket(call, purpose, true));
  server.serve(qiniuToken, (call, { purpose }) => uploadTicket(call, purpose, false));
  server.serve(uploadDone, finishUpload);
  registerDirect(binding);
  registerPictures(http, ctx, binding.limiter);
  registerVoices(http, ctx);
}
