import { oneByOne } from '#web/lib/api/one-by-one.ts';
import { compressed } from '#web/lib/media/compress-picture.ts';
import { serSatiEval } from '#subjects/chat/contract/im-rating.ts';
import { staffImSearch } from '#subjects/chat/contract/im-support.ts';
import {
  getImCenterToken,
  getRCloudToken,
  groupInfo,
  history,
  isOfflineRemind,
  muteGroup,
  readGroup,
  recallMessage,
  searchGroup,
  sendMessage,
  typingIn,
} from '#subjects/chat/contract/im.ts';
import { staffImGroupInfo, staffImHistory, staffImToken } from '#subjects/chat/contract/im-staff.ts';
import { staffImUpload } from '#subjects/media/contract/staff-uploads.ts';
import { call } from '#web/lib/api/api.ts';
import { sendPicture, uploadPicture } from '#web/lib/media/upload.ts';
import type { ChatApi } from './api.ts';
import { RongLink } from './rong-link.ts';
import { rongSdk } from './rong-sdk.ts';

const quiet = { quiet: true };

/** Several chosen pictures arrive in the chosen order, however long each of them takes. */
const inOrder = oneByOne();

/** The page of messages to load; without `before` the newest. */
const page = (groupId: string, before: number | null, count?: number) => ({
  groupId,
  ...(before !== null && { before }),
  ...(count !== undefined && { pageSize: count }),
});

/** The chat calls of a signed-in user. */
export const userChat: ChatApi = {
  ticket: () => call(getImCenterToken, {}, quiet),
  info: (groupId) => call(groupInfo, { groupId }, quiet),
  history: (groupId, before, count) => call(history, page(groupId, before, count), quiet),
  search: (groupId, keyWord, before) => call(searchGroup, { keyWord, ...page(groupId, before) }, quiet),
  upload: (file) => inOrder(async () => await uploadPicture(await compressed(file), 'chat')),
  remind: (groupId) => call(isOfflineRemind, { groupId }, quiet),
  mute: (groupId, muted) => call(muteGroup, { groupId, muted }),
  rate: (rating) => call(serSatiEval, rating, quiet),
};

/** The same with an IM provider; its SDK is loaded only then. */
export function imProviderChat(appKey: string): ChatApi {
  return {
    ...userChat,
    connect: (options) =>
      new RongLink(
        options,
        {
          token: () => call(getRCloudToken, {}, quiet),
          send: ({ op: _op, ...message }) => call(sendMessage, message, quiet),
          after: (groupId, seq) => call(history, { groupId, after: Math.max(0, seq) }, quiet),
          read: (groupId, seq) => call(readGroup, { groupId, seq }, quiet),
          recall: (groupId, seq) => call(recallMessage, { groupId, seq }, quiet),
          typing: (groupId) => call(typingIn, { groupId }, quiet),
          readMarks: (groupId) => call(groupInfo, { groupId }, quiet),
        },
        () => rongSdk(appKey),
      ),
  };
}

/** The same for a member of staff, on the back office's host. */
export const staffChat: ChatApi = {
  ticket: () => call(staffImToken, {}, quiet),
  info: (groupId) => call(staffImGroupInfo, { groupId }, quiet),
  history: (groupId, before, count) => call(staffImHistory, page(groupId, before, count), quiet),
  search: (groupId, keyWord, before) => call(staffImSearch, { keyWord, ...page(groupId, before) }, quiet),
  upload: (file) => inOrder(async () => await sendPicture(staffImUpload, '', file)),
};
