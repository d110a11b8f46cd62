/** Somebody's WeChat as a site knows it. */
export interface WechatAccount {
  openId: string;
  /** The same over all apps of one company; null when the vendor does not tell it. */
  unionId: string | null;
}

/** Log-in by WeChat: what its scanner opens, and who its owner is. */
export interface WechatLogin {
  /** What the QR of a log-in encodes. It must lead the phone to `/wechat/{code}` with an authorisation code, or let it play. */
  loginUrl(login: { origin: string; code: string }): string;
  /** Whose authorisation code this is; each is good once. Undefined when it is refused, throws when the vendor cannot be reached. */
  exchange(authCode: string): Promise<WechatAccount | undefined>;
  /** The local adapter alone: the authorisation code that the WeChat of somebody by this name would give. */
  play?(account: string): string;
}
