import { staffEvidenceUpload } from '#subjects/media/contract/staff-uploads.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import type { Evidence } from '../../web/parts/order/evidence-box.tsx';
import { sendPicture } from '#web/lib/media/upload.ts';

/** Uploads one picture as evidence of a staff action. Throws ApiFailure. */
export const uploadStaffEvidence = (file: File): Promise<Evidence> => sendPicture(staffEvidenceUpload, '', file);

/** The validation error of a form that requires a picture. */
export const evidenceErrors = (pictures: readonly Evidence[], isNeeded: boolean): FormErrors =>
  isNeeded && pictures.length === 0 ? { pictures: '请先上传凭证截图' } : {};

/** The keys of an action's pictures. */
export const evidenceKeys = (pictures: readonly Evidence[]): string[] => pictures.map(({ key }) => key);
