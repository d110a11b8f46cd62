import { FlaskConical } from 'lucide-react';
import { useState } from 'react';
import { beginFaceCheck, type certificateInfo, submitCertificate } from '#subjects/verification/contract/identity.ts';
import type { Data } from '#contract/endpoint.ts';
import { idCardProblem } from '../../../rules/id-card.ts';
import { call } from '#web/lib/api/api.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { SubmitButton, TextField } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Radio } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { deviceInfo, FaceConsent } from './face-check.tsx';

type Face = NonNullable<Data<typeof certificateInfo>['face']>;

/** Submits the check by number, or redirects to the vendor's page for a check by face. `onVerified` is called after a check by number. */
function useIdentity(face: Face | null, isByFace: boolean, onVerified: () => void) {
  return useMutation(
    async (target: HTMLFormElement, options) => {
      const person = { realName: typed(target, 'realName').trim(), idCard: typed(target, 'idCard').trim() };
      if (!face || !isByFace) return await call(submitCertificate, person, options).then(() => null);
      const metaInfo = await deviceInfo(face.script);
      const isAgreed = typed(target, 'isAgreed') === '1';
      return (await call(beginFaceCheck, { ...person, metaInfo, isAgreed }, options)).url;
    },
    {
      draft: 'identity',
      fields: ['realName', 'idCard', 'isAgreed'],
      check: (target) => ({
        realName: typed(target, 'realName').trim().length >= 2 ? undefined : '请输入身份证上的姓名',
        idCard: idCardProblem(typed(target, 'idCard').trim(), Date.now()) ?? undefined,
        isAgreed: isByFace && typed(target, 'isAgreed') !== '1' ? '请先同意人脸核验的说明' : undefined,
      }),
      done: (url) => {
        if (url !== null) {
          window.location.assign(url);
          return true;
        }
        toast('实名认证成功', 'ok');
        onVerified();
        return true;
      },
    },
  );
}

/** The choice between the two methods of verification, when the operator offers both. */
function Ways({ isByFace, onChange }: { isByFace: boolean; onChange: (isByFace: boolean) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
      <legend className="mb-1.5 text-13 font-medium">认证方式</legend>
      <Radio name="way" value="number" checked={!isByFace} onChange={() => onChange(false)}>
        姓名和身份证号
      </Radio>
      <Radio name="way" value="face" checked={isByFace} onChange={() => onChange(true)}>
        人脸核验
      </Radio>
    </fieldset>
  );
}

/** The form for the real name. `face`: the check by face that the operator offers as well. */
export function IdentityForm({ demo, face, onVerified }: { demo: boolean; face: Face | null; onVerified: () => void }) {
  const [isByFace, setIsByFace] = useState(false);
  const { form, errors, busy, submit } = useIdentity(face, isByFace, onVerified);
  return (
    <form ref={form} method="post" noValidate className="grid max-w-112 gap-4" onSubmit={submit((element) => element)}>
      <p className="text-13 text-ink-2">
        买卖账号、发布商品和提现前需要完成实名认证。须年满 18 周岁，一个身份证号只能认证一个账号。
      </p>
      <TextField
        label="姓名"
        name="realName"
        autoComplete="name"
        maxLength={32}
        placeholder="与身份证一致"
        error={errors.realName}
      />
      <TextField
        label="身份证号"
        name="idCard"
        autoComplete="off"
        autoCapitalize="characters"
        holds="idCard"
        placeholder="18 位身份证号"
        error={errors.idCard}
        help="加密保存，只用于核验身份和收款人，不会展示给其他人；每天最多提交 5 次。"
      />
      {face && <Ways isByFace={isByFace} onChange={setIsByFace} />}
      {isByFace && <FaceConsent error={errors.isAgreed} />}
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>{isByFace ? '去人脸核验' : '提交认证'}</SubmitButton>
      {demo && (
        <p className="flex gap-2 rounded-control bg-sunken px-3 py-2 text-12 text-ink-2">
          <FlaskConical className="icon mt-px" aria-hidden="true" />
          演示市场不连接身份库：号码合法即通过；姓名以“错”开头判为不一致，以“查”开头判为查无此人；人脸核验不拍照，直接按姓名给出结果。
        </p>
      )}
    </form>
  );
}
