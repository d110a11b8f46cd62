import { AuthStatus } from '#contract/rules/statuses.ts';
import { BadgeCheck, FlaskConical, ShieldAlert } from 'lucide-react';
import { useState } from 'react';
import { useNavigate, useRevalidator, useSearchParams } from 'react-router';
import { beginFaceCheck, submitCertificate } from '#contract/common.ts';
import { idCardProblem } from '#contract/rules/id-card.ts';
import { call } from '#web/lib/api.ts';
import { safeReturn } from '#web/lib/paths.ts';
import { typed } from '#web/lib/form-errors.ts';
import { SubmitButton, TextField } from '#web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/use-mutation.ts';
import { fullAt } from '#web/lib/times.ts';
import { servicePath } from '#web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/field.tsx';
import { Radio } from '#web/ui/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast-store.ts';
import { deviceInfo, FaceConsent, FaceResult } from './face-check.tsx';
import type { SelfData } from './self-loader.ts';

/** The details of a verified person, always masked. */
function Verified({ certificate }: { certificate: SelfData['certificate'] }) {
  const rows = [
    ['姓名', certificate.nameMask],
    ['身份证号', certificate.idMask],
    ['认证时间', certificate.verifiedTime && fullAt(certificate.verifiedTime)],
  ] as const;
  return (
    <div className="grid gap-4 p-4 md:py-5">
      {certificate.isAdult ? (
        <p className="flex items-center gap-2 text-16 font-semibold text-safe">
          <BadgeCheck className="icon size-5" aria-hidden="true" />
          已完成实名认证
        </p>
      ) : (
        <p className="flex gap-2 rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn">
          <ShieldAlert className="icon mt-0.5" aria-hidden="true" />
          已完成实名认证。根据国家规定，未满 18 周岁不能交易；满 18 周岁当天起自动开放。
        </p>
      )}
      <dl className="grid max-w-120 grid-cols-[96px_minmax(0,1fr)] gap-y-3 text-14">
        {rows.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-3">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p className="text-12 text-ink-3">
        姓名和身份证号加密保存，只用于核验本人和收款人，不会展示给其他人。认证信息不能自行修改，如有错误请联系客服。
      </p>
    </div>
  );
}

type Face = NonNullable<SelfData['certificate']['face']>;

/** Sends the form by number, or goes to the vendor's page for a check by face. */
function useIdentity(face: Face | null, isByFace: boolean) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  return useMutation(
    async (target: HTMLFormElement, options) => {
      const person = { realName: typed(target, 'realName').trim(), idCard: typed(target, 'idCard').trim() };
      if (!face || !isByFace) return await call(submitCertificate, person, options).then(() => null);
      const metaInfo = await deviceInfo(face.script);
      const isAgreed = typed(target, 'isAgreed') === '1';
      return (await call(beginFaceCheck, { ...person, metaInfo, isAgreed }, options)).url;
    },
    {
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
        const returnUrl = query.get('returnUrl');
        if (returnUrl) void navigate(safeReturn(returnUrl, '/center'));
        else void revalidate();
        return true;
      },
    },
  );
}

/** The two ways to prove who one is, where the operator offers both. */
function Ways({ isByFace, onChange }: { isByFace: boolean; onChange: (isByFace: boolean) => void }) {
  return (
    <fieldset className="flex flex-wrap gap-x-6 gap-y-2">
      <legend className="mb-1.5 text-13 font-medium">认证方式</legend>
      <Radio name="way" checked={!isByFace} onChange={() => onChange(false)}>
        姓名和身份证号
      </Radio>
      <Radio name="way" checked={isByFace} onChange={() => onChange(true)}>
        人脸核验
      </Radio>
    </fieldset>
  );
}

function IdentityForm({ demo, face }: { demo: boolean; face: Face | null }) {
  const [isByFace, setIsByFace] = useState(false);
  const { form, errors, busy, submit } = useIdentity(face, isByFace);
  return (
    <form
      ref={form}
      method="post"
      noValidate
      className="grid max-w-112 gap-4 p-4 md:py-5"
      onSubmit={submit((element) => element)}
    >
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
        maxLength={18}
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

/** Real-name verification: the form, or its result. */
export function Identity({ data }: { data: SelfData }) {
  const { certificate, demo } = data;
  if (certificate.authStatus === AuthStatus.Verified) return <Verified certificate={certificate} />;
  if (!certificate.isOpen)
    return (
      <EmptyState
        title="本站没有开通实名认证"
        action={<ButtonLink to={servicePath({ goodsSn: null })}>联系客服</ButtonLink>}
      >
        需要实名认证的操作（发布商品、购买账号、提现等）暂时不能办理；已认证的账号不受影响。
      </EmptyState>
    );
  return (
    <>
      {certificate.face && <FaceResult isBegun={certificate.face.isBegun} />}
      <IdentityForm demo={demo} face={certificate.face} />
    </>
  );
}
