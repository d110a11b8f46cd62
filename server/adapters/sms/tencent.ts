import { createHash, createHmac } from 'node:crypto';
import type { TencentSmsConfig } from '#server/config/config-vendors.ts';
import { type RejectionKind, UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { Sms } from '#server/ports/sms.ts';
import { type Environment, requestVendor } from '../vendor-request.ts';
import { compose, noticeTemplate } from './texts.ts';

const VERSION = '2021-01-11';
const CONTENT_TYPE = 'application/json; charset=utf-8';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The Authorization header of TC3-HMAC-SHA256 over content type, host, action and the body. `at` is in seconds. */
export function tc3Authorization(
  key: { secretId: string; secretKey: string },
  request: { service: string; host: string; action: string; body: string; at: number; contentType?: string },
): string {
  const { service, host, action, body, at } = request;
  const signed = 'content-type;host;x-tc-action';
  const headers = `content-type:${request.contentType ?? CONTENT_TYPE}\nhost:${host}\nx-tc-action:${action.toLowerCase()}\n`;
  const canonical = ['POST', '/', '', headers, signed, sha256(body)].join('\n');
  const date = new Date(at * 1000).toISOString().slice(0, 10);
  const scope = `${date}/${service}/tc3_request`;
  const signing = hmac(hmac(hmac(`TC3${key.secretKey}`, date), service), 'tc3_request');
  const signature = hmac(signing, ['TC3-HMAC-SHA256', at, scope, sha256(canonical)].join('\n')).toString('hex');
  return `TC3-HMAC-SHA256 Credential=${key.secretId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`;
}

/** Maps Tencent's codes; every other code concerns our account or settings. */
function kindOf(code: string): RejectionKind {
  if (code.startsWith('LimitExceeded.PhoneNumber')) return 'limit';
  if (
    /^(InvalidParameterValue\.IncorrectPhoneNumber|FailedOperation\.PhoneNumberInBlacklist|UnsupportedOperation\.ChineseMainland)/.test(
      code,
    )
  )
    return 'input';
  return /^(RequestLimitExceeded|LimitExceeded|ResourceInsufficient)/.test(code) ? 'busy' : 'account';
}

/** The windows of Tencent's limits for one number, by code suffix. */
const WINDOWS = [
  [/ThirtySecondLimit$/, 30],
  [/OneHourLimit$/, 3600],
  [/DailyLimit$/, 86_400],
] as const;

const windowOf = (code: string): number | undefined => WINDOWS.find(([end]) => end.test(code))?.[1];

interface Responded {
  Response?: {
    Error?: { Code?: unknown };
    SendStatusSet?: { Code?: unknown }[];
  };
}

function parsed(body: Buffer): Responded['Response'] {
  try {
    return (JSON.parse(body.toString('utf8')) as Responded | null)?.Response;
  } catch {
    return undefined;
  }
}

/** Checks the response: first the request as a whole, then its one number. */
function judge(status: number, body: Buffer): void {
  const response = parsed(body);
  const error = response?.Error?.Code;
  if (typeof error === 'string') {
    if (error.startsWith('InternalError')) throw new UnknownResult(`SendSms: ${error}`);
    throw new VendorRejected(kindOf(error), error, windowOf(error));
  }
  const code = response?.SendStatusSet?.[0]?.Code;
  if (status !== 200 || typeof code !== 'string') throw new UnknownResult(`SendSms: HTTP ${status} without a status`);
  if (code !== 'Ok') throw new VendorRejected(kindOf(code), code, windowOf(code));
}

/** Tencent's SendSms, one number a call. It is not idempotent and has no receipts by our own number, so a lost response stays unknown. */
export function tencentSms(config: TencentSmsConfig, environment: Environment): Sms {
  return {
    name: 'tencent',
    carries: (kind) => noticeTemplate(config, kind) !== undefined,
    async send(message) {
      const { sign, template, variables } = compose(config, message);
      const body = JSON.stringify({
        PhoneNumberSet: [`+86${message.phone}`],
        SmsSdkAppId: config.appId,
        SignName: sign,
        TemplateId: template,
        TemplateParamSet: variables.map(([, value]) => value),
        SessionContext: message.ref ?? environment.nonce(),
      });
      const at = Math.floor(environment.now().getTime() / 1000);
      const { host } = new URL(config.base);
      const { status, body: reply } = await requestVendor(environment, `${config.base}/`, {
        method: 'POST',
        headers: {
          'content-type': CONTENT_TYPE,
          'x-tc-action': 'SendSms',
          'x-tc-version': VERSION,
          'x-tc-region': config.region,
          'x-tc-timestamp': String(at),
          authorization: tc3Authorization(config, { service: 'sms', host, action: 'SendSms', body, at }),
        },
        body,
      });
      judge(status, reply);
      return 'sent';
    },
  };
}
