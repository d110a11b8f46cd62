import type { AliyunIdConfig } from '#server/config/config-vendors.ts';
import { type RejectionKind, UnknownResult, VendorRejected } from '#server/kernel/errors.ts';
import type { Vendor } from '#server/kernel/vendors.ts';
import type { FaceCheck, FaceOutcome, RealName, RealNameOutcome, RealNamePerson } from '#server/ports/real-name.ts';
import { aliyun, type AliyunApi } from '../aliyun-client.ts';
import type { Environment } from '../vendor-request.ts';

const VERSION = '2019-03-07';

const OUTCOMES: Readonly<Record<string, RealNameOutcome>> = { '1': 'match', '2': 'mismatch', '3': 'unknown' };

/** The API's codes for a check that was neither carried out nor billed. 500 has no clear meaning, so it is not a rejection. */
const REJECTIONS: Readonly<Record<string, RejectionKind>> = {
  '400': 'input',
  '401': 'account',
  '402': 'busy',
  '403': 'busy',
  '410': 'account',
  '411': 'account',
  '412': 'account',
};

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

type Fields = Readonly<Record<string, unknown>>;

/** The result object of a response. Throws VendorRejected, and UnknownResult for a response without one. */
function resultOf(action: string, fields: Fields): Fields {
  const code = textOf(fields.Code);
  const kind = REJECTIONS[code];
  if (kind !== undefined) throw new VendorRejected(kind, code);
  const result = fields.ResultObject;
  if (code !== '200' || typeof result !== 'object' || result === null)
    throw new UnknownResult(`${action}: ${code} without a result`);
  return result as Fields;
}

/** The verdict in a response. Throws as `resultOf`. */
function verdictOf(action: string, fields: Fields) {
  const outcome = OUTCOMES[textOf(resultOf(action, fields).BizCode)];
  if (outcome === undefined) throw new UnknownResult(`${action} without a verdict`);
  return { outcome, providerRef: textOf(fields.RequestId) };
}

const FACE_OUTCOMES: Readonly<Record<string, FaceOutcome>> = { T: 'passed', F: 'failed' };

/** Aliyun's check by face in a browser: one page each, which the person opens. It is billed when it ends. */
function aliyunFace(
  api: AliyunApi,
  environment: Environment,
  vendor: Vendor,
  { scene, script }: { scene: string; script: string },
): FaceCheck {
  const begin: FaceCheck['begin'] = async ({ name, idNo }, { number, backUrl, metaInfo }) => {
    const action = 'InitFaceVerify';
    const form = {
      SceneId: scene,
      OuterOrderNo: number,
      ProductCode: 'ID_PRO',
      CertType: 'IDENTITY_CARD',
      CertName: name,
      CertNo: idNo,
      ReturnUrl: backUrl,
      MetaInfo: metaInfo,
    };
    const result = resultOf(action, await aliyun(api, environment, { action, form }));
    const [ref, url] = [textOf(result.CertifyId), textOf(result.CertifyUrl)];
    if (ref === '' || !URL.canParse(url)) throw new UnknownResult(`${action} without a page`);
    return { ref, url };
  };
  const outcome: FaceCheck['outcome'] = async (ref) => {
    const action = 'DescribeFaceVerify';
    const form = { SceneId: scene, CertifyId: ref };
    const result = resultOf(action, await aliyun(api, environment, { action, form }));
    return FACE_OUTCOMES[textOf(result.Passed)] ?? 'pending';
  };
  return {
    browserScript: script,
    begin: (person, request) => vendor.run('begin', () => begin(person, request)),
    outcome: (ref) => vendor.run('outcome', () => outcome(ref)),
  };
}

/**
 * Aliyun's check of two elements (name and ID number) or of three (and the phone). They are sent in the body, never in a URL. A check is
 * billed when it returns a verdict, so it is never repeated.
 */
export function aliyunRealName(config: AliyunIdConfig, environment: Environment, vendor: Vendor): RealName {
  const api: AliyunApi = { base: config.base, keyId: config.keyId, keySecret: config.keySecret, version: VERSION };
  const needsPhone = config.elements === 3;
  const action = needsPhone ? 'Mobile3MetaSimpleVerify' : 'Id2MetaVerify';
  const check = async ({ name, idNo, phone }: RealNamePerson) => {
    const form = { ParamType: 'normal', UserName: name, IdentifyNum: idNo };
    const fields = await aliyun(api, environment, {
      action,
      form: needsPhone ? { ...form, Mobile: phone ?? '' } : form,
    });
    return verdictOf(action, fields);
  };
  return {
    name: 'aliyun',
    needsPhone,
    verify: (person) => vendor.run('verify', () => check(person)),
    ...(config.face && { face: aliyunFace(api, environment, vendor, config.face) }),
  };
}
