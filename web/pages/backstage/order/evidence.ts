import { staffEvidenceUpload } from '#contract/backstage-orders.ts';
import { ApiFailure } from '#web/lib/api-failure.ts';
import type { Evidence } from '#web/parts/order/evidence-box.tsx';
import { sendPicture } from '#web/lib/upload.ts';

const MISSING = 4000;

/** Uploads one picture as evidence of a staff action. Throws ApiFailure. */
export const uploadStaffEvidence = (file: File): Promise<Evidence> => sendPicture(staffEvidenceUpload, '', file);

/** The keys of an action's pictures. Throws ApiFailure, which a dialog shows, when one is required and none was chosen. */
export function evidenceKeys(pictures: readonly Evidence[], isNeeded: boolean): string[] {
  if (isNeeded && pictures.length === 0) throw new ApiFailure(MISSING, '请先上传凭证截图', 422);
  return pictures.map(({ key }) => key);
}
