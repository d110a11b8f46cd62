import { noticeList, noticeRead, noticeSettings, saveNoticeSettings } from '#contract/comm-more.ts';
import { noticeUnread, pushKey, pushSubscribe, pushUnsubscribe } from '#contract/notice.ts';
import * as w from '#contract/wechat.ts';
import type { Binding } from '#server/binding.ts';
import { boundBrowsers, subscribe, unsubscribe } from './browsers.ts';
import { bindNoticeEvents } from './events.ts';
import { bind, bindStatus, playFollow, publicQr } from './official-account.ts';
import { listNotices, readNotices, saveSettings, settingsOf, unreadNotices } from './service.ts';

/** One's own list and choices, the ways by which notices leave the site, and what is told of what happens. */
export function bindNotices({ ctx, server, effects }: Binding): void {
  server.serve(noticeList, listNotices);
  server.serve(noticeUnread, unreadNotices);
  server.serve(noticeRead, (call, { ids }) => readNotices(call, ids));
  server.serve(noticeSettings, settingsOf);
  server.serve(saveNoticeSettings, async (call, wish) => {
    await saveSettings(call, wish);
    return {};
  });
  server.serve(pushKey, async ({ user }) => ({
    publicKey: ctx.push.publicKey,
    bound: await boundBrowsers(ctx, user.id),
  }));
  server.serve(pushSubscribe, async (call, given) => {
    await subscribe(call, given);
    return {};
  });
  server.serve(pushUnsubscribe, async (call, { endpoint }) => {
    await unsubscribe(call, endpoint);
    return {};
  });
  server.serve(w.PublicWechatQRCode, publicQr);
  server.serve(w.bindWeChatOfficialAccountPush, (call, { act }) => bind(call, act));
  server.serve(w.bindWeChatOfficialAccountPushStatus, bindStatus);
  if (ctx.officialAccount.played) server.serve(w.followAccount, (call, { scene }) => playFollow(call, scene));
  bindNoticeEvents(ctx, effects);
}
