import { AuthStatus } from '#contract/rules/statuses.ts';
import { BadgeCheck, FlaskConical, ShieldAlert } from 'lucide-react';
import { useNavigate, useRevalidator, useSearchParams } from 'react-router';
import { submitCertificate } from '#contract/common.ts';
import { idCardProblem } from '#contract/rules/id-card.ts';
import { call } from '#web/lib/api.ts';
import { safeReturn } from '#web/lib/paths.ts';
import { typed } from '#web/lib/form-errors.ts';
import { SubmitButton, TextField } from '#web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/use-mutation.ts';
import { fullAt } from '#web/lib/times.ts';
import { FormError } from '#web/ui/field.tsx';
import { toast } from '#web/ui/toast-store.ts';
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

function IdentityForm({ demo }: { demo: boolean }) {
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { form, errors, busy, submit } = useMutation(
    (target: HTMLFormElement, options) =>
      call(
        submitCertificate,
        { realName: typed(target, 'realName').trim(), idCard: typed(target, 'idCard').trim() },
        options,
      ),
    {
      fields: ['realName', 'idCard'],
      check: (target) => ({
        realName: typed(target, 'realName').trim().length >= 2 ? undefined : '请输入身份证上的姓名',
        idCard: idCardProblem(typed(target, 'idCard').trim(), Date.now()) ?? undefined,
      }),
      done: () => {
        toast('实名认证成功', 'ok');
        const returnUrl = query.get('returnUrl');
        if (returnUrl) void navigate(safeReturn(returnUrl, '/center'));
        else void revalidate();
        return true;
      },
    },
  );
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
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>提交认证</SubmitButton>
      {demo && (
        <p className="flex gap-2 rounded-control bg-sunken px-3 py-2 text-12 text-ink-2">
          <FlaskConical className="icon mt-px" aria-hidden="true" />
          演示市场不连接身份库：号码合法即通过；姓名以“错”开头判为不一致，以“查”开头判为查无此人。
        </p>
      )}
    </form>
  );
}

/** Real-name verification: the form, or its result. */
export function Identity({ data }: { data: SelfData }) {
  const { certificate, demo } = data;
  return certificate.authStatus === AuthStatus.Verified ? (
    <Verified certificate={certificate} />
  ) : (
    <IdentityForm demo={demo} />
  );
}
