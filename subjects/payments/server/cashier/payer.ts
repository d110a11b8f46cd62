import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Call } from '#server/access/call.ts';
import type { Binding } from '#server/binding.ts';
import type { Context } from '#server/context.ts';
import { decrypt, encrypt, randomToken, sameText } from '#server/kernel/secrets/crypto.ts';
import { AppError } from '#server/kernel/errors.ts';

/** The payer's openid, encrypted: WeChat's dialog needs it, and it is requested without prompting the user. */
const PAYER = 'wxp';
const PAYER_SECONDS = 30 * 86_400;
/** Binds the redirect to WeChat and back to one browser, and identifies the payment to return to. */
const STATE = 'wxs';
const STATE_SECONDS = 600;
const LOCATION = 'cookie.wxp';
const PATH = '/api/pay/';

const PAY_RAND = /^[A-Za-z0-9_-]{8,64}$/;

/** The payer's openid as stored in this browser inside WeChat; undefined when it is absent or has expired. */
export function payerOf({ ctx, http }: Call): string | undefined {
  const value = http?.request.cookies[PAYER];
  if (value === undefined || value.length > 400 || !ctx.wechatLogin) return undefined;
  try {
    return decrypt(ctx.keys, `${LOCATION}:${ctx.wechatLogin.appId}`, Buffer.from(value, 'base64url'));
  } catch {
    return undefined;
  }
}

function giveCookie(ctx: Context, reply: FastifyReply, name: string, value: string, maxAge: number): void {
  reply.setCookie(name, value, {
    httpOnly: true,
    sameSite: 'lax',
    path: PATH,
    secure: ctx.config.secureCookies,
    maxAge,
  });
}

const textOf = (request: FastifyRequest, name: string): string =>
  (request.query as Record<string, string | undefined>)[name] ?? '';

/** Redirects a browser inside WeChat to WeChat and back, which identifies the user without a prompt (snsapi_base). */
function bindDeparture(http: FastifyInstance, ctx: Context): void {
  http.get(`${PATH}payer`, async (request, reply) => {
    const { wechatLogin } = ctx;
    if (!wechatLogin) throw new AppError('VENDOR_OFF');
    const payRand = textOf(request, 'payRand');
    if (!PAY_RAND.test(payRand)) throw new AppError('PAY_NOT_FOUND');
    const state = randomToken(18);
    giveCookie(ctx, reply, STATE, `${state}.${payRand}`, STATE_SECONDS);
    const redirect = `${request.protocol}://${request.headers.host ?? ''}${PATH}payer/back`;
    return await reply.redirect(wechatLogin.silentUrl({ redirect, state }), 302);
  });
}

/**
 * Stores the identity returned by WeChat. Only the browser that was redirected is accepted, once; otherwise the cashier's page reports that
 * WeChat did not identify the payer.
 */
function bindReturn(http: FastifyInstance, ctx: Context): void {
  http.get(`${PATH}payer/back`, async (request, reply) => {
    const { wechatLogin } = ctx;
    if (!wechatLogin) throw new AppError('VENDOR_OFF');
    const [state = '', payRand = ''] = (request.cookies[STATE] ?? '').split('.');
    giveCookie(ctx, reply, STATE, '', 0);
    if (!PAY_RAND.test(payRand)) return await reply.redirect('/', 302);
    const isOurs = state !== '' && sameText(state, textOf(request, 'state'));
    const code = textOf(request, 'code');
    const account =
      isOurs && /^[\w.-]{1,300}$/.test(code)
        ? await wechatLogin.exchange(code).catch((error: unknown) => {
            ctx.log.warn({ error: String(error) }, 'WeChat did not tell who pays');
            return undefined;
          })
        : undefined;
    if (!account) return await reply.redirect(`/pay/go/${payRand}?payer=unknown`, 302);
    const sealed = encrypt(ctx.keys, `${LOCATION}:${wechatLogin.appId}`, account.openId).toString('base64url');
    giveCookie(ctx, reply, PAYER, sealed, PAYER_SECONDS);
    return await reply.redirect(`/pay/go/${payRand}`, 302);
  });
}

/** Addresses by which a browser inside WeChat is recognised, for WeChat's payment dialog. */
export function bindPayer({ ctx, http }: Pick<Binding, 'ctx' | 'http'>): void {
  bindDeparture(http, ctx);
  bindReturn(http, ctx);
}
