/** A WeChat account as a site sees it. */
export interface WechatAccount {
  openId: string;
  /** The same across all apps of one company; null when the vendor does not return it. */
  unionId: string | null;
}

/** Log-in by WeChat: the address that the QR code opens, and the identity of the account's owner. */
export interface WechatLogin {
  /** Content of the log-in QR code. It must lead the phone to `/wechat/{code}` with an authorisation code, or to a simulation of it. */
  loginUrl(login: { origin: string; code: string }): string;
  /** The service account at which people are known; an openid is valid only at this one. */
  readonly appId: string;
  /** Address that makes a browser inside WeChat return to `redirect` with an authorisation code and `state`, without asking the user. */
  silentUrl(login: { redirect: string; state: string }): string;
  /** The account of an authorisation code; each is valid once. Undefined when it is rejected; throws when the vendor cannot be reached. */
  exchange(authCode: string): Promise<WechatAccount | undefined>;
  /** Only in the local adapter: an authorisation code for the simulated WeChat account of this name. */
  play?(account: string): string;
}
