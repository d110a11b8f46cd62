import {
  PublicWechatQRCode,
  wechatPageConfig,
  bindWeChatOfficialAccountPush,
  bindWeChatOfficialAccountPushStatus,
  followAccount,
} from '#subjects/notices/contract/wechat-push.ts';
import { noticeList, noticeRead, noticeSettings, saveNoticeSettings } from '#subjects/notices/contract/inbox.ts';
import { noticeUnread, pushKey, pushSubscribe, pushUnsubscribe } from '#subjects/notices/contract/notice.ts';
import { nextSteps, todoCounts } from '#subjects/notices/contract/todo.ts';
import type { Binding } from '#server/binding.ts';
import { bindAccountPush } from './wechat/account-push.ts';
import { countBrowsers, subscribe, unsubscribe } from './browsers.ts';
import { bindMailUnsubscribe } from './mail-unsubscribe.ts';
import { noticeRetention } from './retention.ts';
import { bindNoticeEvents } from './events.ts';
import { bind, bindStatus, playFollow, publicQr } from './wechat/official-account.ts';
import { pageConfig } from './wechat/js-sdk.ts';
import { listNotices, readNotices, saveSettings, loadSettings, unreadNotices } from './service.ts';
import { loadNextSteps } from './next-steps.ts';
import { loadTodo } from './todo.ts';

/** Calls for a user's notices, settings and outlets, and the effects that create notices. */
export function bindNotices({ ctx, server, effects, http, limiter }: Binding): void {
  server.serve(noticeList, listNotices);
  server.serve(noticeUnread, unreadNotices);
  server.serve(todoCounts, loadTodo);
  server.serve(nextSteps, loadNextSteps);
  server.serve(noticeRead, (call, { ids }) => readNotices(call, ids));
  server.serve(noticeSettings, loadSettings);
  server.serve(saveNoticeSettings, async (call, settings) => {
    await saveSettings(call, settings);
    return {};
  });
  server.serve(pushKey, async ({ user }) => ({
    publicKey: ctx.push.publicKey,
    bound: await countBrowsers(ctx, user.id),
  }));
  server.serve(pushSubscribe, async (call, subscription) => {
    await subscribe(call, subscription);
    return {};
  });
  server.serve(pushUnsubscribe, async (call, { endpoint }) => {
    await unsubscribe(call, endpoint);
    return {};
  });
  server.serve(PublicWechatQRCode, publicQr);
  server.serve(wechatPageConfig, pageConfig);
  server.serve(bindWeChatOfficialAccountPush, (call, { act: action }) => bind(call, action));
  server.serve(bindWeChatOfficialAccountPushStatus, bindStatus);
  if (ctx.officialAccount?.played === true) server.serve(followAccount, (call, { scene }) => playFollow(call, scene));
  bindAccountPush(http, ctx);
  bindMailUnsubscribe(http, ctx, limiter);
  bindNoticeEvents(ctx, effects);
  for (const rule of noticeRetention) effects.retain(rule);
}
