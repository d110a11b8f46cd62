/**
 * Aliyun's RPC gateway on loopback, with the SMS and the identity API behind it: recomputes every ACS3 signature, knows its own keys,
 * signature names and templates, keeps the limits of a number, and remembers what it accepted, also when its answer is lost.
 */
import { createHash, createHmac, randomUUID } from 'node:crypto';
import { type FakeReply, type FakeRequest, FakeServer } from './fake-server.ts';

type Fields = Record<string, unknown>;
type Params = Record<string, string>;

const CLOCK_MS = 15 * 60_000;
const MINUTE_MS = 60_000;
/** Codes of one signature to one number: most in a window, and what the window is called. */
const LIMITS = [
  [1, MINUTE_MS, '分钟级'],
  [5, 60 * MINUTE_MS, '小时级'],
  [10, 24 * 60 * MINUTE_MS, '天级'],
] as const;

const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

interface AcceptedSms {
  phone: string;
  sign: string;
  template: string;
  params: Params;
  outId: string;
  bizId: string;
  at: Date;
}

export class FakeAliyun extends FakeServer {
  readonly keyId = 'LTAI0000000000000001';
  readonly keySecret = 'SK_TEST';
  /** Signature names that were approved. */
  readonly signs = new Set(['游市', '月光游市']);
  /** Approved templates with their variables. */
  readonly templates = new Map<string, readonly string[]>([
    ['SMS_CODE', ['code']],
    ['SMS_REGISTER', ['code']],
    ['SMS_NOTICE', ['title', 'content']],
  ]);
  readonly sent: AcceptedSms[] = [];
  /** The next sends end with this code, as HTTP 200. */
  smsCode = '';
  /** The next checks end with this code of the API. */
  idCode = '200';
  /** The register of people: ID number to name and phone. Whoever is not here has no record. */
  readonly people = new Map<string, { name: string; phone: string }>();
  /** Scenes of checks by face. */
  readonly scenes = new Set(['1000000001']);
  /** Checks by face by their number; `passed` is absent until the person has shown a face. */
  readonly faces = new Map<string, { number: string; backUrl: string; idNo: string; passed?: boolean }>();
  /** Checks that gave a verdict, which are billed. */
  billed = 0;
  readonly #nonces = new Set<string>();

  protected nameOf({ headers }: FakeRequest): string {
    return String(headers['x-acs-action'] ?? '');
  }

  protected respond(request: FakeRequest): FakeReply {
    const rejected = this.#reject(request);
    if (rejected !== undefined) {
      const [status, code] = rejected;
      return this.#json(status, { RequestId: randomUUID(), Code: code, Message: code, HostId: 'fake' });
    }
    const form = Object.fromEntries(new URLSearchParams(request.body.toString('utf8')));
    return this.#json(200, this.#work(this.nameOf(request), Object.fromEntries(request.url.searchParams), form));
  }

  #json(status: number, fields: Fields): FakeReply {
    return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) };
  }

  /** Rejections by the gateway itself: status and code. */
  #reject({ method, url, headers, body }: FakeRequest): readonly [number, string] | undefined {
    const header = (name: string): string => String(headers[name] ?? '');
    const auth = /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([0-9a-f]{64})$/.exec(
      header('authorization'),
    );
    if (!auth) return [400, 'IncompleteSignature'];
    const [, keyId = '', signed = '', signature = ''] = auth;
    if (keyId !== this.keyId) return [404, 'InvalidAccessKeyId.NotFound'];
    const at = Date.parse(header('x-acs-date'));
    if (!(Math.abs(at - this.now().getTime()) <= CLOCK_MS)) return [400, 'InvalidTimeStamp.Expired'];
    if (header('x-acs-content-sha256') !== sha256(body)) return [400, 'InvalidContentHash'];
    const names = signed.split(';');
    const wanted = Object.keys(headers).filter(
      (name) => name === 'host' || (name === 'content-type' && body.length > 0) || name.startsWith('x-acs-'),
    );
    if (wanted.some((name) => !names.includes(name))) return [400, 'IncompleteSignature'];
    const query = [...url.searchParams]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([k, v]) => `${encode(k)}=${encode(v)}`)
      .join('&');
    const lines = names.map((name) => `${name}:${header(name).trim()}`);
    const canonical = [method, '/', query, ...lines, '', signed, header('x-acs-content-sha256')].join('\n');
    const expected = createHmac('sha256', this.keySecret).update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`);
    if (expected.digest('hex') !== signature) return [400, 'SignatureDoesNotMatch'];
    const nonce = header('x-acs-signature-nonce');
    if (nonce === '' || this.#nonces.has(nonce)) return [400, 'SignatureNonceUsed'];
    this.#nonces.add(nonce);
    return undefined;
  }

  #work(action: string, query: Params, form: Params): Fields {
    const ids: Fields = { RequestId: randomUUID() };
    switch (action) {
      case 'SendSms':
        return { ...ids, ...this.#send(query) };
      case 'QuerySendDetails':
        return { ...ids, ...this.#details(query) };
      case 'Id2MetaVerify':
      case 'Mobile3MetaSimpleVerify':
        return { ...ids, ...this.#verify(action, query, form) };
      case 'InitFaceVerify':
        return { ...ids, ...this.#beginFace(query, form) };
      case 'DescribeFaceVerify':
        return { ...ids, ...this.#describeFace(query, form) };
      default:
        return { ...ids, Code: 'InvalidAction.NotFound', Message: action };
    }
  }

  #send(p: Params): Fields {
    const no = (code: string, message = code): Fields => ({ Code: code, Message: message });
    if (this.smsCode !== '') return no(this.smsCode);
    if (!/^1[3-9]\d{9}$/.test(p.PhoneNumbers ?? '')) return no('isv.MOBILE_NUMBER_ILLEGAL');
    if (!this.signs.has(p.SignName ?? '')) return no('isv.SMS_SIGNATURE_ILLEGAL');
    const variables = this.templates.get(p.TemplateCode ?? '');
    if (!variables) return no('isv.SMS_TEMPLATE_ILLEGAL');
    const params = this.#params(p.TemplateParam);
    if (params === undefined) return no('isv.INVALID_JSON_PARAM');
    if (variables.some((name) => !params[name])) return no('isv.TEMPLATE_MISSING_PARAMETERS');
    if (Object.values(params).some((value) => [...value].length > 35)) return no('isv.PARAM_LENGTH_LIMIT');
    const isCode = variables.includes('code');
    const earlier = this.sent.filter((m) => m.phone === p.PhoneNumbers && m.sign === p.SignName && 'code' in m.params);
    for (const [most, windowMs, called] of isCode ? LIMITS : [])
      if (earlier.filter((m) => this.now().getTime() - m.at.getTime() < windowMs).length >= most)
        return no('isv.BUSINESS_LIMIT_CONTROL', `触发${called}流控Permits:${most}`);
    const bizId = randomUUID();
    this.sent.push({
      phone: p.PhoneNumbers ?? '',
      sign: p.SignName ?? '',
      template: p.TemplateCode ?? '',
      params,
      outId: p.OutId ?? '',
      bizId,
      at: this.now(),
    });
    return { Code: 'OK', Message: 'OK', BizId: bizId };
  }

  #params(text: string | undefined): Params | undefined {
    try {
      return JSON.parse(text ?? '') as Params;
    } catch {
      return undefined;
    }
  }

  #details(p: Params): Fields {
    if (!/^\d{8}$/.test(p.SendDate ?? '') || !(Number(p.PageSize) <= 50) || p.CurrentPage === undefined)
      return { Code: 'isv.INVALID_PARAMETERS', Message: '' };
    const list = this.sent
      .filter((m) => m.phone === p.PhoneNumber)
      .map((m) => ({ PhoneNum: m.phone, OutId: m.outId, SendStatus: 1, TemplateCode: m.template }));
    return {
      Code: 'OK',
      Message: 'OK',
      TotalCount: String(list.length),
      SmsSendDetailDTOs: { SmsSendDetailDTO: list },
    };
  }

  #beginFace(query: Params, form: Params): Fields {
    const wrong = { Code: '400', Message: '参数错误' };
    if (Object.keys(query).length > 0 || !this.scenes.has(form.SceneId ?? '')) return wrong;
    const { OuterOrderNo: number = '', CertName, CertNo: idNo = '', ReturnUrl: backUrl = '' } = form;
    if (!/^[A-Za-z0-9]{1,32}$/.test(number) || [...this.faces.values()].some((face) => face.number === number))
      return wrong;
    if (form.ProductCode !== 'ID_PRO' || form.CertType !== 'IDENTITY_CARD') return wrong;
    if (!CertName || !/^\d{17}[\dX]$/.test(idNo) || !URL.canParse(backUrl)) return wrong;
    if (this.#params(form.MetaInfo)?.deviceType === undefined) return wrong;
    if (this.idCode !== '200') return { Code: this.idCode, Message: 'not now' };
    const certifyId = randomUUID().replaceAll('-', '');
    this.faces.set(certifyId, { number, backUrl, idNo });
    const page = { CertifyId: certifyId, CertifyUrl: `https://face.example/?certifyId=${certifyId}` };
    return { Code: '200', Message: 'success', ResultObject: page };
  }

  #describeFace(query: Params, form: Params): Fields {
    const face = this.faces.get(form.CertifyId ?? '');
    if (Object.keys(query).length > 0 || !this.scenes.has(form.SceneId ?? '') || !face)
      return { Code: '400', Message: '参数错误' };
    if (this.idCode !== '200') return { Code: this.idCode, Message: 'not now' };
    if (face.passed === undefined) return { Code: '200', Message: 'success', ResultObject: {} };
    this.billed++;
    const result = { Passed: face.passed ? 'T' : 'F', SubCode: face.passed ? '200' : '206' };
    return { Code: '200', Message: 'success', ResultObject: result };
  }

  #verify(action: string, query: Params, form: Params): Fields {
    // The elements are parameters of the body; a URL would appear in logs.
    if (Object.keys(query).length > 0) return { Code: '400', Message: '参数错误' };
    const { ParamType, UserName, IdentifyNum, Mobile } = form;
    if (ParamType !== 'normal' || !UserName || !/^\d{17}[\dX]$/.test(IdentifyNum ?? ''))
      return { Code: '400', Message: '参数错误' };
    const isThree = action === 'Mobile3MetaSimpleVerify';
    if (isThree && !/^1[3-9]\d{9}$/.test(Mobile ?? '')) return { Code: '400', Message: '参数错误' };
    if (this.idCode !== '200') return { Code: this.idCode, Message: 'not now' };
    const person = this.people.get(IdentifyNum ?? '');
    const biz = !person ? '3' : person.name === UserName && (!isThree || person.phone === Mobile) ? '1' : '2';
    if (biz !== '3') this.billed++;
    return { Code: '200', Message: 'success', ResultObject: { BizCode: biz } };
  }
}
