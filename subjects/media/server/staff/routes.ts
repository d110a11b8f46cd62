import {
  staffEvidenceUpload,
  staffContentUpload,
  uploadGameIcon,
  staffImUpload,
} from '#subjects/media/contract/staff-uploads.ts';
import { requirePermission, requirePlatform } from '#server/access/permissions.ts';
import type { Binding } from '#server/binding.ts';
import { takeUpload } from '../upload.ts';

/** Pictures that staff upload, each kind with its permission. */
export function bindUploadsOfStaff({ server }: Binding): void {
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
}
