import { chinaClock } from '#contract/rules/time/china-time.ts';
import { createHash } from 'node:crypto';
import type { WechatAccountConfig } from '#server/config/config-wechat.ts';
import type { TokenStore } from '#server/db/vendor-token.ts';
import { VendorRejected } from '#server/kernel/errors.ts';
import type { OfficialAccount } from '#server/ports/official-account.ts';
import { isPushQuery, readPush } from './push.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 64 * 1024;

/** Codes for a token that WeChat does not know any more. */
const BAD_TOKEN = new Set([40_001, 40_014, 42_001]);
/** Codes for a user who does not follow or is unknown to WeChat. */
const GONE = new Set([43_004, 40_003]);
const NOT_ALLOWED = 43_101;

interface Answer {
  errcode?: number;
  access_token?: string;
  expires_in?: number;
  url?: string;
  ticket?: string;
}

/** Where the access token and the pages' ticket are kept for all processes. */
export interface AccountStores {
  token: TokenStore;
  ticket: TokenStore;
}

/** Maximum number of characters in a template field, by the letters of its name; other fields have no known limit. */
const FIELD_LIMITS: Readonly<Record<string, number>> = { thing: 20, phrase: 5, const: 20, character_string: 32 };

/** A template field's text, shortened to the maximum of its kind: WeChat rejects the whole message if a field is too long. */
function fitted(field: string, text: string): string {
  const limit = FIELD_LIMITS[field.replace(/(?<!\d)\d+$/, '')];
  const letters = [...text.replace(/\s+/g, ' ')];
  return limit === undefined || letters.length <= limit ? letters.join('') : `${letters.slice(0, limit - 1).join('')}…`;
}

/** '2026年11月23日 09:30' in China's time zone, the format of time fields. */
function timeText(at: Date): string {
  const [day = '', clock = ''] = chinaClock(at).slice(0, 16).split('T');
  const [year, month, date] = day.split('-');
  return `${year}年${month}月${date}日 ${clock}`;
}

/** Codes for requests that WeChat did not carry out: load, our quota, or our settings there. */
const rejection = (errcode: number | undefined): VendorRejected =>
  new VendorRejected(errcode === -1 ? 'busy' : errcode === 45_009 ? 'limit' : 'account', String(errcode));

/** Sends one request; the vendor answers errors with HTTP 200 too, so the body decides. Throws when no JSON came back in time. */
async function ask(base: string, path: string, body: object | null, request: typeof fetch): Promise<Answer> {
  const response = await request(`${base}${path}`, {
    ...(body === null
      ? { method: 'GET' }
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (!response.ok || text.length > MAX_BYTES) throw new Error(`${path.split('?')[0]}: HTTP ${response.status}`);
  return JSON.parse(text) as Answer;
}

/** A service account of WeChat: template or subscribe messages to its followers, and codes whose followers are reported to us. */
export function wechatOfficialAccount(
  config: WechatAccountConfig,
  { token: tokens, ticket: tickets }: AccountStores,
  environment: { fetch: typeof fetch; now: () => Date } = { fetch, now: () => new Date() },
): OfficialAccount {
  const { apiBase: base, appId, secret } = config;
  const lend = (isForced: boolean) => async () => {
    const request = { grant_type: 'client_credential', appid: appId, secret, force_refresh: isForced };
    const answer = await ask(base, '/cgi-bin/stable_token', request, environment.fetch);
    if (!answer.access_token || !answer.expires_in) throw rejection(answer.errcode);
    return { value: answer.access_token, lifeSeconds: answer.expires_in };
  };
  /** A call with the shared token; a rejected token is renewed once, by one process. */
  const call = async (path: string, body: object | null): Promise<Answer> => {
    const at = (token: string) => `${path}${path.includes('?') ? '&' : '?'}access_token=${token}`;
    const token = await tokens.get(lend(false));
    const first = await ask(base, at(token), body, environment.fetch);
    if (!BAD_TOKEN.has(first.errcode ?? 0)) return first;
    const renewed = await tokens.get(lend(true), token);
    return await ask(base, at(renewed), body, environment.fetch);
  };
  const lendTicket = async () => {
    const answer = await call('/cgi-bin/ticket/getticket?type=jsapi', null);
    if (!answer.ticket || !answer.expires_in) throw rejection(answer.errcode);
    return { value: answer.ticket, lifeSeconds: answer.expires_in };
  };
  const { fields } = config;
  const data = (title: string, body: string) => {
    const values = { title, body, time: timeText(environment.now()) };
    const entries = (['title', 'body', 'time'] as const).flatMap((name) => {
      const field = fields.get(name);
      return field === undefined ? [] : [[field, { value: fitted(field, values[name]) }] as const];
    });
    return Object.fromEntries(entries);
  };
  return {
    name: 'wechat',
    title: config.title,
    played: false,
    followUrl: () => config.followUrl,
    async sceneUrl({ scene, lifeSeconds }) {
      const answer = await call('/cgi-bin/qrcode/create', {
        expire_seconds: lifeSeconds,
        action_name: 'QR_STR_SCENE',
        action_info: { scene: { scene_str: scene } },
      });
      if (!answer.url) throw rejection(answer.errcode);
      return answer.url;
    },
    async send({ openId, title, body, url, ref }) {
      const message = { touser: openId, template_id: config.templateId, data: data(title, body) };
      const { errcode = -1 } =
        config.messages === 'template'
          ? await call('/cgi-bin/message/template/send', {
              ...message,
              url,
              // WeChat delivers only once for a repeated id.
              client_msg_id: createHash('sha256').update(ref).digest('hex').slice(0, 32),
            })
          : await call('/cgi-bin/message/subscribe/bizsend', { ...message, page: url });
      if (errcode === 0) return 'sent';
      if (GONE.has(errcode)) return 'gone';
      if (errcode === NOT_ALLOWED) return 'refused';
      throw rejection(errcode);
    },
    pageTicket: async () => ({ appId, ticket: await tickets.get(lendTicket) }),
    receive: (request) => readPush(config, request, environment.now()),
    confirms: (query) => isPushQuery(config, query, environment.now()),
  };
}
