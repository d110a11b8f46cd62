import { getImCenterToken, groupInfo, history, isOfflineRemind } from '#contract/im.ts';
import { staffImGroupInfo, staffImHistory, staffImToken, staffImUpload } from '#contract/im-staff.ts';
import { call } from '#web/lib/api.ts';
import { sendPicture, uploadPicture } from '#web/parts/order/upload.ts';
import type { ChatApi } from './api.ts';

const quiet = { quiet: true };

/** The chat's calls of a signed-in user. */
export const userChat: ChatApi = {
  ticket: () => call(getImCenterToken, {}, quiet),
  info: (groupId) => call(groupInfo, { groupId }, quiet),
  history: (groupId, before) => call(history, { groupId, ...(before !== null && { before }) }, quiet),
  upload: (file) => uploadPicture(file, 'chat'),
  remind: (groupId) => call(isOfflineRemind, { groupId }, quiet),
};

/** The same of a member of staff, on the back office's host. */
export const staffChat: ChatApi = {
  ticket: () => call(staffImToken, {}, quiet),
  info: (groupId) => call(staffImGroupInfo, { groupId }, quiet),
  history: (groupId, before) => call(staffImHistory, { groupId, ...(before !== null && { before }) }, quiet),
  upload: (file) => sendPicture(staffImUpload, '', file),
};
