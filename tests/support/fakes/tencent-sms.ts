/** Tencent's SMS API on loopback: recomputes every TC3 signature, knows its application, signatures and templates, and the limits of a number. */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type FakeReply, type FakeRequest, FakeServer } from './fake-server.ts';

const CLOCK_SECONDS = 300;
const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

interface Body {
  PhoneNumberSet?: string[];
  SmsSdkAppId?: string;
  SignName?: string;
  TemplateId?: string;
  TemplateParamSet?: unknown[];
  SessionContext?: string;
}

export class FakeTencentSms extends FakeServer {
  readonly secretId = 'AKID0000000000000001';
  readonly secretKey = 'SK_TEST';
  readonly appId = '1400000000';
  readonly signs = new Set(['游市']);
  /** Templates with the number of their variables. */
  readonly templates = new Map([
    ['1000001', 1],
    ['1000002', 2],
  ]);
  readonly sent: { phone: string; sign: string; template: string; params: unknown[]; context: string; at: Date }[] = [];
  /** The next requests end with this error as a whole. */
  error = '';

  protected nameOf({ headers }: FakeRequest): string {
    return String(headers['x-tc-action'] ?? '');
  }

  protected respond(request: FakeRequest): FakeReply {
    const code = this.#reject(request) ?? (this.error || undefined);
    const inner = code === undefined ? this.#send(request) : { Error: { Code: code, Message: code } };
    const body = JSON.stringify({ Response: { ...inner, RequestId: randomUUID() } });
    return { status: 200, headers: { 'content-type': 'application/json' }, body };
  }

  #reject({ method, headers, body }: FakeRequest): string | undefined {
    const header = (name: string): string => String(headers[name] ?? '');
    const auth =
      /^TC3-HMAC-SHA256 Credential=([^/]+)\/(\d{4}-\d\d-\d\d)\/sms\/tc3_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
        header('authorization'),
      );
    if (!auth) return 'AuthFailure.InvalidAuthorization';
    const [, id = '', date = '', signed = '', signature = ''] = auth;
    if (id !== this.secretId) return 'AuthFailure.SecretIdNotFound';
    const at = Number(header('x-tc-timestamp'));
    if (!(Math.abs(at - this.now().getTime() / 1000) <= CLOCK_SECONDS)) return 'AuthFailure.SignatureExpire';
    if (new Date(at * 1000).toISOString().slice(0, 10) !== date) return 'AuthFailure.SignatureFailure';
    const names = signed.split(';');
    if (!names.includes('content-type') || !names.includes('host')) return 'AuthFailure.SignatureFailure';
    const key = hmac(hmac(hmac(`TC3${this.secretKey}`, date), 'sms'), 'tc3_request');
    const signatureFor = (host: string): string => {
      const lines = names.map((name) => {
        const value = name === 'host' ? host : header(name).trim();
        return `${name}:${name === 'x-tc-action' ? value.toLowerCase() : value}\n`;
      });
      const canonical = [method, '/', '', lines.join(''), signed, sha256(body)].join('\n');
      const text = ['TC3-HMAC-SHA256', at, `${date}/sms/tc3_request`, sha256(canonical)].join('\n');
      return hmac(key, text).toString('hex');
    };
    // Tencent's own client signs the host without its port.
    const hosts = [header('host'), header('host').replace(/:\d+$/, '')];
    if (hosts.every((host) => signatureFor(host) !== signature)) return 'AuthFailure.SignatureFailure';
    if (header('x-tc-version') !== '2021-01-11') return 'NoSuchVersion';
    return header('x-tc-region') === '' ? 'MissingParameter' : undefined;
  }

  #send({ body }: FakeRequest): Record<string, unknown> {
    const wish = JSON.parse(body.toString('utf8')) as Body;
    const no = (code: string) => ({ Error: { Code: code, Message: code } });
    if (wish.SmsSdkAppId !== this.appId) return no('UnauthorizedOperation.SmsSdkAppIdVerifyFail');
    if (/[【】]/u.test(wish.SignName ?? '') || !this.signs.has(wish.SignName ?? ''))
      return no('FailedOperation.SignatureIncorrectOrUnapproved');
    const count = this.templates.get(wish.TemplateId ?? '');
    if (count === undefined) return no('FailedOperation.TemplateIncorrectOrUnapproved');
    const params = wish.TemplateParamSet ?? [];
    if (params.length !== count || params.some((p) => typeof p !== 'string'))
      return no('FailedOperation.TemplateParamSetNotMatchApprovedTemplate');
    const statuses = (wish.PhoneNumberSet ?? []).map((phone) => this.#one(phone, wish, params));
    return { SendStatusSet: statuses };
  }

  #one(phone: string, wish: Body, params: unknown[]): Record<string, unknown> {
    const status = (code: string) => ({
      SerialNo: randomUUID(),
      PhoneNumber: phone,
      Fee: 1,
      Code: code,
      Message: code,
    });
    if (!/^\+861[3-9]\d{9}$/.test(phone)) return status('InvalidParameterValue.IncorrectPhoneNumber');
    const now = this.now().getTime();
    const mine = this.sent.filter((m) => m.phone === phone);
    const isSame = mine.some((m) => now - m.at.getTime() < 30_000 && String(m.params) === String(params));
    if (isSame) return status('LimitExceeded.PhoneNumberSameContentDailyLimit');
    if (mine.filter((m) => now - m.at.getTime() < 86_400_000).length >= 10)
      return status('LimitExceeded.PhoneNumberDailyLimit');
    this.sent.push({
      phone,
      sign: wish.SignName ?? '',
      template: wish.TemplateId ?? '',
      params,
      context: wish.SessionContext ?? '',
      at: this.now(),
    });
    return status('Ok');
  }
}
