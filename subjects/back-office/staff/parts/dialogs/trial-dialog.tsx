import { useId, useState } from 'react';
import {
  tryMail,
  tryOfficialAccount,
  tryPay,
  tryPush,
  tryRealName,
  trySms,
  tryWechatLogin,
  type VendorTrial,
} from '#subjects/back-office/contract/vendors.ts';
import type { PayChannelName } from '#subjects/payments/rules/pay-channels.ts';
import { call } from '#web/lib/api/api.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { FormFooter } from '../form-footer.tsx';

const TITLES: Readonly<Record<VendorTrial, string>> = {
  sms: '试发短信',
  mail: '试发邮件',
  realName: '试验实名',
  pay: '试查支付渠道',
  push: '试发浏览器推送',
  officialAccount: '试发公众号消息',
  wechatLogin: '试查微信登录',
};

/** Description and cost of each test. */
const NOTES: Readonly<Record<VendorTrial, string>> = {
  sms: '会产生真实费用',
  mail: '会真的发出一封邮件',
  realName: '会产生真实费用，姓名和身份证号不保存',
  pay: '查询一笔不存在的付款，核对密钥和签名，不动钱',
  push: '发到这位用户开启了推送的浏览器',
  officialAccount: '发给这位用户，须已绑定公众号',
  wechatLogin: '用一个不存在的授权码核对应用编号和密钥',
};

type Outcome = { ok: boolean; text: string };

/** Calls the test with the entered values. `vendor` is its key, such as 'pay.alipay'. */
function request(kind: VendorTrial, vendor: string, target: HTMLFormElement, options: SendOptions): Promise<Outcome> {
  const value = (name: string): string => typed(target, name).trim();
  const phone = value('phone');
  if (kind === 'sms') return call(trySms, { phone }, options);
  if (kind === 'mail') return call(tryMail, { email: value('email') }, options);
  if (kind === 'pay') return call(tryPay, { channel: vendor.replace(/^pay\./, '') as PayChannelName }, options);
  if (kind === 'push') return call(tryPush, { phone }, options);
  if (kind === 'officialAccount') return call(tryOfficialAccount, { phone }, options);
  if (kind === 'wechatLogin') return call(tryWechatLogin, {}, options);
  const person = { realName: value('realName'), idCard: value('idCard') };
  return call(tryRealName, phone === '' ? person : { ...person, phone }, options);
}

const PHONE_LABELS: Readonly<Partial<Record<VendorTrial, string>>> = {
  sms: '手机号',
  realName: '手机号（三要素时填写）',
  push: '用户的手机号',
  officialAccount: '用户的手机号',
};

interface TrialDialogProps {
  kind: VendorTrial;
  /** The vendor's key. */
  vendor: string;
  onClose: () => void;
}

/** Tests one vendor: a message, or one check. */
export function TrialDialog({ kind, vendor, onClose }: TrialDialogProps) {
  const formId = useId();
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const { form, errors, busy, submit } = useMutation(
    (target: HTMLFormElement, options): Promise<Outcome> => request(kind, vendor, target, options),
    { fields: ['phone', 'email', 'realName', 'idCard'], done: setOutcome, failed: () => setOutcome(null) },
  );
  const phoneLabel = PHONE_LABELS[kind];
  return (
    <Dialog
      title={TITLES[kind]}
      asksFirst={false}
      busy={busy}
      onClose={onClose}
      footer={
        <FormFooter form={formId} busy={busy}>
          {TITLES[kind]}
        </FormFooter>
      }
    >
      <form
        id={formId}
        ref={form}
        method="post"
        noValidate
        className="grid gap-4"
        onSubmit={submit((element) => element)}
      >
        {kind === 'realName' && (
          <>
            <TextField label="姓名" name="realName" autoComplete="off" maxLength={32} error={errors.realName} />
            <TextField label="身份证号" name="idCard" autoComplete="off" holds="idCard" error={errors.idCard} />
          </>
        )}
        {kind === 'mail' && (
          <TextField label="邮箱" name="email" type="email" autoComplete="off" maxLength={120} error={errors.email} />
        )}
        {phoneLabel !== undefined && (
          <TextField label={phoneLabel} name="phone" type="tel" autoComplete="off" error={errors.phone} />
        )}
        <p className="text-12 text-ink-3">{NOTES[kind]}；全站每小时最多 20 次，并写入操作记录。</p>
        {outcome && (
          <p role="status" className={`text-13 ${outcome.ok ? 'text-safe' : 'text-danger'}`}>
            {outcome.text}
          </p>
        )}
        <FormError>{errors.send}</FormError>
      </form>
    </Dialog>
  );
}
