import type { AlipayConfig } from '#server/config/config-pay.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import { holdsRsa2, signedPart, signRsa2, signText } from './alipay-sign.ts';
import { requestVendor, chinaText, type Environment } from '../vendor-request.ts';

/** A response of the gateway with a valid signature. `code` 10000 is success, any other carries a `sub_code`. */
export interface GatewayResponse {
  code: string;
  subCode: string;
  fields: Readonly<Record<string, unknown>>;
}

/** Public parameters of a call with its signature; `extra` are those of page calls only. */
function signedParams(
  config: AlipayConfig,
  environment: Pick<Environment, 'now'>,
  call: { method: string; biz: string; extra?: Record<string, string> },
): Record<string, string> {
  const params: Record<string, string> = {
    app_id: config.appId,
    method: call.method,
    charset: 'utf-8',
    version: '1.0',
    format: 'JSON',
    sign_type: 'RSA2',
    timestamp: chinaText(environment.now()),
    ...(config.appCertSn === undefined ? {} : { app_cert_sn: config.appCertSn }),
    ...(config.rootCertSn === undefined ? {} : { alipay_root_cert_sn: config.rootCertSn }),
    ...call.extra,
    biz_content: call.biz,
  };
  return { ...params, sign: signRsa2(signText(params, ['sign']), config.privateKey) };
}

/** The URL of the Alipay page that the payer is sent to; no request is made. */
export function pageAddress(
  config: AlipayConfig,
  environment: Pick<Environment, 'now'>,
  call: { method: string; biz: Record<string, unknown>; extra: Record<string, string> },
): string {
  const params = signedParams(config, environment, { ...call, biz: JSON.stringify(call.biz) });
  return `${config.gateway}?${new URLSearchParams(params).toString()}`;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The vendor's codes for an unknown outcome. */
const unknownOutcome = /SYSTEM_ERROR|REQUEST_PROCESSING|UNKNOW|AOP\./i;

/**
 * Calls the gateway: all parameters but biz_content in the URL; the response is trusted only with Alipay's signature over its exact
 * text. Throws UnknownResult when the signature is missing or wrong, or the gateway itself reports an unknown outcome.
 */
export async function gateway(
  config: AlipayConfig,
  environment: Environment,
  call: { method: string; biz: Record<string, unknown>; extra?: Record<string, string> },
): Promise<GatewayResponse> {
  const { biz_content: biz = '', ...rest } = signedParams(config, environment, {
    ...call,
    biz: JSON.stringify(call.biz),
  });
  const { status, body } = await requestVendor(
    environment,
    `${config.gateway}?${new URLSearchParams(rest).toString()}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=utf-8' },
      body: new URLSearchParams({ biz_content: biz }).toString(),
    },
  );
  const name = `${call.method.replaceAll('.', '_')}_response`;
  const part = signedPart(body, name) ?? signedPart(body, 'error_response');
  if (status !== 200 || !part) throw new UnknownResult(`${call.method}: HTTP ${status} without a signed response`);
  if (!holdsRsa2(part.inner, part.sign, config.publicKey))
    throw new UnknownResult(`${call.method}: not Alipay's signature`);
  const fields = JSON.parse(part.text) as Record<string, unknown>;
  const code = textOf(fields.code);
  const subCode = textOf(fields.sub_code);
  if (code === '20000' || unknownOutcome.test(subCode)) throw new UnknownResult(`${call.method}: ${code} ${subCode}`);
  if (code !== '10000' && code !== '40004')
    // Our own configuration is wrong: no money moved, and the call can be repeated once it is corrected.
    throw new UnknownResult(`${call.method}: rejected, ${code} ${subCode}`);
  return { code, subCode, fields };
}
