import type { OfficialAccount } from '#server/ports/official-account.ts';

const KEPT = 50;

/** Stands in for WeChat: its QR opens a page of ours that plays the phone, and what it sends is kept for the self-check (`show`). */
export function localOfficialAccount(options: { show: boolean }): OfficialAccount {
  const kept: { to: string; text: string; at: Date }[] = [];
  const known = new Set<string>();
  return {
    name: 'local',
    title: '游市交易提醒',
    played: true,
    followUrl: (origin) => `${origin}/wechat/follow`,
    sceneUrl: ({ scene, origin }) => Promise.resolve(`${origin}/wechat/follow/${scene}`),
    send({ openId, title, body, ref }) {
      if (!known.has(ref)) {
        known.add(ref);
        if (known.size > 10_000) known.clear();
        kept.unshift({ to: openId, text: `${title}：${body}`, at: new Date() });
        kept.length = Math.min(kept.length, KEPT);
      }
      return Promise.resolve('sent');
    },
    recent: () => (options.show ? kept : []),
  };
}
