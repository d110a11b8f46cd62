import { createHash, createHmac, randomBytes } from 'node:crypto';
import { sameText } from '#server/kernel/secrets/crypto.ts';
import type { WechatLogin } from '#server/ports/wechat-login.ts';

const VALID_MS = 2 * 60_000;

/**
 * WeChat of the demo market: the phone's page asks for a name and logs in as that account. Its authorisation codes are signed,
 * short-lived and valid once, like the vendor's.
 */
export function localWechatLogin(options: { key: Buffer; now?: () => number }): WechatLogin & {
  play: (account: string) => string;
} {
  const now = options.now ?? Date.now;
  const used = new Map<string, number>();
  const sign = (body: string): string => createHmac('sha256', options.key).update(`wechat:${body}`).digest('base64url');
  const play = (account: string): string => {
    const owner = createHash('sha256').update(account).digest('hex').slice(0, 28);
    const body = `${owner}.${now() + VALID_MS}.${randomBytes(9).toString('base64url')}`;
    return `${body}.${sign(body)}`;
  };
  return {
    appId: 'local',
    loginUrl: ({ origin, code }) => `${origin}/wechat/${code}`,
    silentUrl: ({ redirect, state }) =>
      `${redirect}?${new URLSearchParams({ code: play('演示微信'), state }).toString()}`,
    play,
    exchange(authCode) {
      const [owner = '', until = '', nonce = '', signature = ''] = authCode.split('.');
      for (const [key, end] of used) if (end < now()) used.delete(key);
      const isOurs = sameText(signature, sign(`${owner}.${until}.${nonce}`));
      if (!isOurs || Number(until) < now() || used.has(nonce)) return Promise.resolve(undefined);
      used.set(nonce, Number(until));
      return Promise.resolve({ openId: `local-${owner}`, unionId: null });
    },
  };
}
