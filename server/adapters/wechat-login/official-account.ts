import { UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { WechatLogin } from '#server/ports/wechat-login.ts';
import { type Environment, requestVendor } from '../vendor-request.ts';

const TIMEOUT_MS = 4000;

interface Settings {
  appId: string;
  secret: string;
  /** 'https://api.weixin.qq.com', or the URL of a fake. */
  apiBase: string;
}

interface TokenResponse {
  errcode?: unknown;
  openid?: unknown;
  unionid?: unknown;
}

/** An authorisation code that is unknown, used or too old; every other error concerns our account. */
const BAD_CODES: ReadonlySet<number> = new Set([40_029, 40_163, 41_008, 42_003]);

function tokenOf(body: Buffer): TokenResponse {
  try {
    return JSON.parse(body.toString('utf8')) as TokenResponse;
  } catch {
    throw new UnknownResult('the response of WeChat is not JSON');
  }
}

/**
 * Log-in by a service account (facts: web authorisation inside WeChat, scope snsapi_base). The scanner opens WeChat's own address, which
 * redirects the phone back to `/wechat/{code}?code=…`.
 */
export function officialAccountLogin({ appId, secret, apiBase }: Settings, environment: Environment): WechatLogin {
  const silentUrl: WechatLogin['silentUrl'] = ({ redirect, state }) => {
    // WeChat compares the parameters' order as well.
    const query = new URLSearchParams({
      appid: appId,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'snsapi_base',
      state,
    });
    return `https://open.weixin.qq.com/connect/oauth2/authorize?${query.toString()}#wechat_redirect`;
  };
  return {
    appId,
    silentUrl,
    loginUrl: ({ origin, code }) => silentUrl({ redirect: `${origin}/wechat/${code}`, state: code }),
    async exchange(authCode) {
      const query = new URLSearchParams({ appid: appId, secret, code: authCode, grant_type: 'authorization_code' });
      const url = `${apiBase}/sns/oauth2/access_token?${query.toString()}`;
      const response = await requestVendor(environment, url, {}, { ms: TIMEOUT_MS });
      // Errors, too, are sent as text/plain, so only the body is checked.
      const token = tokenOf(response.body);
      if (typeof token.openid !== 'string' || token.openid === '') {
        if (BAD_CODES.has(Number(token.errcode))) return undefined;
        throw new VendorRejected(token.errcode === -1 ? 'busy' : 'account', String(token.errcode));
      }
      return { openId: token.openid, unionId: typeof token.unionid === 'string' ? token.unionid : null };
    },
  };
}
