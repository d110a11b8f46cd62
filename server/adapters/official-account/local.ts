import type { OfficialAccount } from '#server/ports/official-account.ts';

const MAX_RECENT = 50;

/** Simulates WeChat: its QR code opens a page of ours that acts as the phone, and messages are shown on the self-check page (`show`). */
export function localOfficialAccount(options: { show: boolean }): OfficialAccount {
  const recentMessages: { to: string; text: string; at: Date }[] = [];
  const sentRefs = new Set<string>();
  return {
    name: 'local',
    title: '游市交易提醒',
    played: true,
    followUrl: (origin) => `${origin}/wechat/follow`,
    sceneUrl: ({ scene, origin }) => Promise.resolve(`${origin}/wechat/follow/${scene}`),
    send({ openId, title, body, ref }) {
      if (!sentRefs.has(ref)) {
        sentRefs.add(ref);
        if (sentRefs.size > 10_000) sentRefs.clear();
        recentMessages.unshift({ to: openId, text: `${title}：${body}`, at: new Date() });
        recentMessages.length = Math.min(recentMessages.length, MAX_RECENT);
      }
      return Promise.resolve('sent');
    },
    recent: () => (options.show ? recentMessages : []),
  };
}
