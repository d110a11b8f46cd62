import type { WechatLogin } from '#server/ports/wechat-login.ts';

const TIMEOUT_MS = 4000;

interface Settings {
  appId: string;
  secret: string;
  /** 'https://api.weixin.qq.com', or the URL of a fake. */
  apiBase: string;
}

interface TokenResponse {
  openid?: unknown;
  unionid?: unknown;
}

/**
 * Log-in by a service account (facts: web authorisation inside WeChat, scope snsapi_base). The scanner opens WeChat's own address, which
 * sends the phone back to `/wechat/{code}?code=…`.
 */
export function officialAccountLogin({ appId, secret, apiBase }: Settings): WechatLogin {
  return {
    loginUrl({ origin, code }) {
      const query = new URLSearchParams({
        appid: appId,
        redirect_uri: `${origin}/wechat/${code}`,
        response_type: 'code',
        scope: 'snsapi_base',
        state: code,
      });
      return `https://open.weixin.qq.com/connect/oauth2/authorize?${query.toString()}#wechat_redirect`;
    },
    async exchange(authCode) {
      const query = new URLSearchParams({ appid: appId, secret, code: authCode, grant_type: 'authorization_code' });
      const response = await fetch(`${apiBase}/sns/oauth2/access_token?${query.toString()}`, {
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      // The vendor responds with text/plain also for errors, so the body alone decides.
      const token = (await response.json()) as TokenResponse;
      if (typeof token.openid !== 'string' || token.openid === '') return undefined;
      return { openId: token.openid, unionId: typeof token.unionid === 'string' ? token.unionid : null };
    },
  };
}
