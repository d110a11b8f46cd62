import type { AliyunSmsConfig } from '#server/config/config-vendors.ts';
import { type RejectionKind, UnknownResult, VendorRejected, VendorUnavailable } from '#server/kernel/errors.ts';
import type { Delivery } from '#server/ports/delivery.ts';
import type { Sms, SmsMessage } from '#server/ports/sms.ts';
import { aliyun, type AliyunApi } from '../aliyun-client.ts';
import { type Environment, chinaText } from '../vendor-request.ts';
import { compose, noticeTemplate } from './texts.ts';

const VERSION = '2017-05-25';
const RECEIPTS = 20;

/** Maps Aliyun's codes; every other code concerns our account or settings. */
function kindOf(code: string): RejectionKind {
  if (code === 'isv.BUSINESS_LIMIT_CONTROL' || code === 'isv.DAY_LIMIT_CONTROL') return 'limit';
  if (code === 'isv.MOBILE_NUMBER_ILLEGAL' || code === 'isv.BLACK_KEY_CONTROL_LIMIT') return 'input';
  return code === 'isp.SYSTEM_ERROR' ? 'busy' : 'account';
}

/** The windows of Aliyun's limits for one number, as its message names them ("触发分钟级流控Permits:1"). */
const WINDOWS: Readonly<Record<string, number>> = { 分钟级: 60, 小时级: 3600, 天级: 86_400 };

function windowOf(message: unknown): number | undefined {
  const named = typeof message === 'string' ? /分钟级|小时级|天级/.exec(message)?.[0] : undefined;
  return named === undefined ? undefined : WINDOWS[named];
}

interface Receipt {
  OutId?: unknown;
}

/** Whether Aliyun has a message of today under our number: queried once after a lost response. */
async function wasAccepted(
  api: AliyunApi,
  environment: Environment,
  { phone, outId }: { phone: string; outId: string },
): Promise<boolean> {
  const fields = await aliyun(api, environment, {
    action: 'QuerySendDetails',
    query: {
      PhoneNumber: phone,
      SendDate: chinaText(environment.now()).slice(0, 10).replaceAll('-', ''),
      PageSize: String(RECEIPTS),
      CurrentPage: '1',
    },
  });
  const list = (fields.SmsSendDetailDTOs as { SmsSendDetailDTO?: Receipt[] } | undefined)?.SmsSendDetailDTO;
  return Array.isArray(list) && list.some((receipt) => receipt.OutId === outId);
}

/**
 * Aliyun's SendSms. A rejected message is returned as HTTP 200 with a code other than OK. When the response is lost, its receipts
 * are queried once: SendSms itself is not repeated, since it is not idempotent.
 */
export function aliyunSms(config: AliyunSmsConfig, environment: Environment): Sms {
  const api: AliyunApi = { base: config.base, keyId: config.keyId, keySecret: config.keySecret, version: VERSION };
  return {
    name: 'aliyun',
    carries: (kind) => noticeTemplate(config, kind) !== undefined,
    async send(message: SmsMessage): Promise<Delivery> {
      const { sign, template, variables } = compose(config, message);
      const outId = message.ref ?? environment.nonce();
      try {
        const fields = await aliyun(api, environment, {
          action: 'SendSms',
          query: {
            PhoneNumbers: message.phone,
            SignName: sign,
            TemplateCode: template,
            TemplateParam: JSON.stringify(Object.fromEntries(variables)),
            OutId: outId,
          },
        });
        if (fields.Code === 'OK') return 'sent';
        const code = typeof fields.Code === 'string' ? fields.Code : '';
        if (code === '') throw new UnknownResult('SendSms: a response without a code');
        throw new VendorRejected(kindOf(code), code, windowOf(fields.Message));
      } catch (error) {
        if (!(error instanceof UnknownResult) || error instanceof VendorUnavailable) throw error;
        const isThere = await wasAccepted(api, environment, { phone: message.phone, outId }).catch(() => false);
        if (isThere) return 'sent';
        throw error;
      }
    },
  };
}
