/** Transfers to people who accept them in WeChat (API v3, /v3/fund-app/mch-transfer/transfer-bills). */
import { constants, publicEncrypt } from 'node:crypto';
import type { WechatPayConfig } from '#server/config/config-pay.ts';
import { cutText } from '#server/kernel/cut-text.ts';
import { UnknownResult } from '#server/kernel/errors.ts';
import type { ChannelOutcome, PayoutRequest } from '#server/ports/pay.ts';
import type { Environment } from '../vendor-request.ts';
import { stateOfCode } from './vendor-codes.ts';
import { wechatPayoutCodes } from './wechat-codes.ts';
import { wechat, type WechatResponse } from './wechat-client.ts';

const TRANSFERS = '/v3/fund-app/mch-transfer/transfer-bills';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Maps the transfer's state; WAIT_USER_CONFIRM and all states before it may still be paid. */
function stateOf({ fields }: WechatResponse): ChannelOutcome {
  const state = text(fields.state);
  if (state === 'SUCCESS') return { state: 'done' };
  if (state === 'FAIL' || state === 'CANCELLED') return { state: 'failed', reason: text(fields.fail_reason) || state };
  if (state !== 'WAIT_USER_CONFIRM') return { state: 'pending', reason: state };
  return { state: 'pending', reason: state, accept: { token: text(fields.package_info) || undefined } };
}

/** The payee's name, encrypted for WeChat Pay, with the serial of the key. */
function encryptedName(config: WechatPayConfig, name: string): { ciphertext: string; serial: string } {
  const [serial, key] = [...config.publicKeys][0] ?? [];
  if (serial === undefined || key === undefined) throw new Error('WeChat Pay has no public key configured');
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const ciphertext = publicEncrypt({ key, padding, oaepHash: 'sha1' }, Buffer.from(name)).toString('base64');
  return { ciphertext, serial };
}

/** The state of a transfer; undefined when WeChat does not know its number. Throws UnknownResult. */
export async function transferState(
  config: WechatPayConfig,
  environment: Environment,
  no: string,
): Promise<ChannelOutcome | undefined> {
  const response = await wechat(config, environment, { method: 'GET', path: `${TRANSFERS}/out-bill-no/${no}` });
  if (response.status === 404 || /NOT_FOUND|RESOURCE_NOT_EXISTS/.test(response.code)) return undefined;
  if (response.code !== '') throw new UnknownResult(`transfer: ${response.code}`);
  return stateOf(response);
}

/**
 * Creates a transfer that the payee accepts in WeChat; `account` is their openid at our account, whose real name WeChat compares. A
 * repeated number is the same transfer and returns its package again. An error is not signed, so it is treated as final only when WeChat
 * also does not know the number. Throws UnknownResult.
 */
export async function transfer(
  config: WechatPayConfig,
  environment: Environment,
  request: PayoutRequest,
): Promise<ChannelOutcome> {
  if (!config.transfer) throw new Error('transfers by WeChat are not set up');
  const { ciphertext, serial } = encryptedName(config, request.name);
  const response = await wechat(config, environment, {
    method: 'POST',
    path: TRANSFERS,
    headers: { 'wechatpay-serial': serial },
    body: {
      appid: config.appid,
      out_bill_no: request.no,
      transfer_scene_id: config.transfer.scene,
      openid: request.account,
      user_name: ciphertext,
      transfer_amount: request.amountFen,
      transfer_remark: cutText(request.remark, 32),
      notify_url: config.notifyUrl,
      transfer_scene_report_infos: [...config.transfer.report].map(([info_type, info_content]) => ({
        info_type,
        info_content,
      })),
    },
  });
  if (response.code === '') return stateOf(response);
  if (stateOfCode(wechatPayoutCodes, response.code) === 'pending') return { state: 'pending', reason: response.code };
  return (await transferState(config, environment, request.no)) ?? { state: 'failed', reason: response.code };
}
