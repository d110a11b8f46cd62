import { AuthStatus } from '#contract/rules/statuses.ts';
import { BadgeCheck, ShieldAlert } from 'lucide-react';
import { useNavigate, useRevalidator, useSearchParams } from 'react-router';
import { safeReturn } from '#web/lib/pages/paths.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { FaceResult } from '#subjects/verification/web/parts/identity/face-check.tsx';
import { IdentityForm } from '#subjects/verification/web/parts/identity/form.tsx';
import { servicePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { SelfData } from '#subjects/accounts/center/self-loader.ts';

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

/** Real-name verification: the form, or its result. */
export function Identity({ data }: { data: SelfData }) {
  const { certificate, demo } = data;
  const { revalidate } = useRevalidator();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const proceed = (): void => {
    const returnUrl = query.get('returnUrl');
    if (returnUrl) void navigate(safeReturn(returnUrl, '/center'));
    else void revalidate();
  };
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
      <div className="p-4 md:py-5">
        <IdentityForm demo={demo} face={certificate.face} onVerified={proceed} />
      </div>
    </>
  );
}
