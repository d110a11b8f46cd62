/**
 * WeChat's open platform on loopback (api.weixin.qq.com): who a person is by a one-time code, the service account's access token and
 * its messages. Knows nothing of the adapters but the protocol's rules.
 */
import { createCipheriv, createHash, randomBytes } from 'node:crypto';
import { type FakeReply, type FakeRequest, FakeServer } from './fake-server.ts';

type Body = Record<string, unknown>;

export class FakeWeixin extends FakeServer {
  readonly appId: string;
  readonly secret = 'weixin-secret';
  readonly pushToken = 'pushtoken';
  readonly aesKey = 'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG';
  readonly ticket = 'ticket-of-pages';
  readonly templateId = 'tpl-1';
  readonly subscribeId = 'sub-1';
  readonly followers = new Set<string>();
  /** Users who allowed a subscription message. */
  readonly allowed = new Set<string>();
  readonly sent: { id: string; openid: string; title: string; body: string }[] = [];
  /** Lent tokens with their end in ms; another that is forced voids those before. */
  readonly tokens = new Map<string, number>();
  readonly #codes = new Map<string, { openid: string; at: number }>();

  constructor(appId = 'wx1') {
    super();
    this.appId = appId;
  }

  protected nameOf({ method, url }: FakeRequest): string {
    return `${method} ${url.pathname}`;
  }

  protected respond({ url, body }: FakeRequest): FakeReply {
    const say = (fields: Body): FakeReply => ({
      status: 200,
      headers: { 'content-type': 'text/plain' },
      body: JSON.stringify(fields),
    });
    const no = (errcode: number, errmsg: string): FakeReply => say({ errcode, errmsg });
    if (url.pathname === '/sns/oauth2/access_token') return this.#exchange(url, say, no);
    const input = body.length > 0 ? (JSON.parse(body.toString('utf8')) as Body) : {};
    if (url.pathname === '/cgi-bin/stable_token') return this.#lend(input, say, no);
    if (!url.pathname.startsWith('/cgi-bin/')) return no(40_066, 'invalid url');
    const token = url.searchParams.get('access_token') ?? '';
    const until = this.tokens.get(token);
    if (until === undefined) return no(40_001, 'invalid credential');
    if (until < this.now().getTime()) return no(42_001, 'access_token expired');
    if (url.pathname === '/cgi-bin/qrcode/create') {
      const info = input.action_info as { scene?: { scene_str?: string } } | undefined;
      const scene = info?.scene?.scene_str ?? '';
      const isFine = /^.{1,64}$/.test(scene) && input.action_name === 'QR_STR_SCENE';
      return isFine ? say({ ticket: 'T', url: `http://weixin.qq.com/q/${scene}` }) : no(40_053, 'invalid action info');
    }
    if (url.pathname === '/cgi-bin/ticket/getticket')
      return url.searchParams.get('type') === 'jsapi'
        ? say({ errcode: 0, errmsg: 'ok', ticket: this.ticket, expires_in: 7200 })
        : no(40_097, 'invalid args');
    if (url.pathname === '/cgi-bin/message/template/send') return this.#send(input, true, say, no);
    if (url.pathname === '/cgi-bin/message/subscribe/bizsend') return this.#send(input, false, say, no);
    return no(40_066, 'invalid url');
  }

  #lend(input: Body, say: (f: Body) => FakeReply, no: (code: number, text: string) => FakeReply): FakeReply {
    if (input.grant_type !== 'client_credential') return no(40_002, 'invalid grant_type');
    if (input.appid !== this.appId) return no(40_013, 'invalid appid');
    if (input.secret !== this.secret) return no(40_125, 'invalid appsecret');
    if (input.force_refresh === true) this.tokens.clear();
    const known = [...this.tokens].find(([, until]) => until > this.now().getTime() + 300_000);
    const token = known?.[0] ?? randomBytes(32).toString('base64url');
    if (!known) this.tokens.set(token, this.now().getTime() + 7_200_000);
    const left = Math.floor(((this.tokens.get(token) ?? 0) - this.now().getTime()) / 1000);
    return say({ access_token: token, expires_in: left });
  }

  #send(
    input: Body,
    isTemplate: boolean,
    say: (f: Body) => FakeReply,
    no: (code: number, text: string) => FakeReply,
  ): FakeReply {
    const openid = String(input.touser);
    const data = input.data as Record<string, { value?: string }> | undefined;
    if (input.template_id !== (isTemplate ? this.templateId : this.subscribeId))
      return no(40_037, 'invalid template_id');
    if (
      Object.keys(data ?? {})
        .toSorted()
        .join() !== 'thing1,thing2,time3'
    )
      return no(47_003, 'argument invalid');
    if ([data?.thing1, data?.thing2].some((field) => [...(field?.value ?? '')].length > 20 || !field?.value))
      return no(47_003, 'argument invalid! data.thing.value invalid');
    if (!this.followers.has(openid)) return no(43_004, 'require subscribe');
    if (!isTemplate && !this.allowed.has(openid)) return no(43_101, 'user refuse to accept the msg');
    const id = typeof input.client_msg_id === 'string' ? input.client_msg_id : randomBytes(8).toString('hex');
    if (!this.sent.some((message) => message.id === id))
      this.sent.push({ id, openid, title: data?.thing1?.value ?? '', body: data?.thing2?.value ?? '' });
    return say({ errcode: 0, errmsg: 'ok', msgid: this.sent.length });
  }

  /** A push as WeChat sends it, in plain XML or encrypted; returns the address's query and the body. */
  push(fields: Record<string, string>, how: { token?: string; at?: number; encrypts?: boolean } = {}) {
    const xml = `<xml>${Object.entries({ ToUserName: 'gh_1', CreateTime: '1', MsgType: 'event', ...fields })
      .map(([k, v]) => `<${k}><![CDATA[${v}]]></${k}>`)
      .join('')}</xml>`;
    const token = how.token ?? this.pushToken;
    const timestamp = String(how.at ?? Math.floor(this.now().getTime() / 1000));
    const nonce = randomBytes(5).toString('hex');
    const sha = (...parts: string[]): string => createHash('sha1').update(parts.toSorted().join('')).digest('hex');
    const query = new URLSearchParams({ signature: sha(token, timestamp, nonce), timestamp, nonce });
    if (how.encrypts !== true) return { query: query.toString(), body: xml };
    const key = Buffer.from(`${this.aesKey}=`, 'base64');
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(xml));
    const plain = Buffer.concat([randomBytes(16), length, Buffer.from(xml), Buffer.from(this.appId)]);
    const padding = 32 - (plain.length % 32);
    const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false);
    const sealed = Buffer.concat([
      cipher.update(Buffer.concat([plain, Buffer.alloc(padding, padding)])),
      cipher.final(),
    ]);
    const encrypted = sealed.toString('base64');
    query.set('msg_signature', sha(token, timestamp, nonce, encrypted));
    return { query: query.toString(), body: `<xml><Encrypt><![CDATA[${encrypted}]]></Encrypt></xml>` };
  }

  #exchange(url: URL, say: (f: Body) => FakeReply, no: (code: number, text: string) => FakeReply): FakeReply {
    const { appid, secret, code = '', grant_type: grant } = Object.fromEntries(url.searchParams);
    if (appid !== this.appId) return no(40_013, 'invalid appid');
    if (secret !== this.secret) return no(40_125, 'invalid appsecret');
    if (grant !== 'authorization_code') return no(40_002, 'invalid grant_type');
    const known = this.#codes.get(code);
    if (!known || this.now().getTime() - known.at > 300_000) return no(40_029, 'invalid code');
    this.#codes.delete(code);
    return say({ access_token: randomBytes(16).toString('hex'), expires_in: 7200, openid: known.openid });
  }

  /**
   * A browser inside WeChat is sent to WeChat and comes back, without a question: checks the address as WeChat does, and answers where
   * the browser goes next.
   */
  authorise(address: string, openid: string): string {
    const url = new URL(address);
    const {
      appid,
      redirect_uri: redirect = '',
      response_type: type,
      scope,
      state = '',
    } = Object.fromEntries(url.searchParams);
    if (url.origin !== 'https://open.weixin.qq.com' || url.pathname !== '/connect/oauth2/authorize')
      throw new Error('not the address of the authorisation');
    if (url.hash !== '#wechat_redirect' || type !== 'code' || scope !== 'snsapi_base')
      throw new Error('Scope 参数错误');
    if (appid !== this.appId) throw new Error('appid 参数错误');
    if (!/^[\w-]{1,128}$/.test(state)) throw new Error('state 参数错误');
    const code = randomBytes(16).toString('hex');
    this.#codes.set(code, { openid, at: this.now().getTime() });
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', state);
    return back.href;
  }
}
