import { CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Data } from '#contract/endpoint.ts';
import type { getBoosterInfo } from '#subjects/services/contract/booster.ts';
import { yuanLabel } from '#web/lib/format/format.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { servicePath } from '#subjects/orders/web/parts/order/order-links.ts';
import { ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { Role } from './role.ts';

type Own = Pick<
  NonNullable<Data<typeof getBoosterInfo>['booster']>,
  'name' | 'status' | 'reviewNote' | 'createTime' | 'deposit' | 'maxOpenOrders'
>;

/** The state of the application, and the next step. */
function Standing({ own, role }: { own: Own; role: Role }) {
  if (own.status === 'reviewing')
    return (
      <EmptyState
        title="申请审核中"
        action={
          own.deposit.level === 0 && (
            <ButtonLink to={role.deposit} kind="primary">
              缴纳保证金
            </ButtonLink>
          )
        }
      >
        {fullAt(own.createTime)} 提交，通常 1 个工作日内有结果。
        {own.deposit.level === 0 && `缴足保证金 ${yuanLabel(own.deposit.required ?? '0.00')} 元后才能通过。`}
        通过后在「{role.service}套餐」发布套餐。
      </EmptyState>
    );
  if (own.status === 'suspended')
    return (
      <EmptyState
        title={`${role.service}资格已被暂停`}
        action={<ButtonLink to={servicePath({ goodsSn: null })}>联系客服</ButtonLink>}
      >
        {own.reviewNote ?? '请联系客服了解原因。'}
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<CircleCheck className="icon size-8 text-safe" strokeWidth={1.25} />}
      title={`「${own.name}」已开通`}
      action={
        <>
          {own.deposit.level === 0 && (
            <ButtonLink to={role.deposit} kind="primary">
              缴纳保证金
            </ButtonLink>
          )}
          <ButtonLink to={role.packages} {...(own.deposit.level > 0 && { kind: 'primary' })}>
            管理套餐
          </ButtonLink>
        </>
      }
    >
      {own.deposit.level > 0 ? (
        `保证金等级：${own.deposit.levelName}，最多同时接 ${own.maxOpenOrders} 单。`
      ) : (
        <>
          缴纳保证金 <Amount yuan={own.deposit.required ?? '0.00'} /> 后即可发布套餐。
        </>
      )}
    </EmptyState>
  );
}

/** Application for a role of services, or the state of the one submitted. `form` is shown to verified users who may apply. */
export function JoinPage({
  role,
  own,
  isVerified,
  lead,
  form,
}: {
  role: Role;
  own: Own | null;
  isVerified: boolean;
  lead: string;
  form: ReactNode;
}) {
  const mayApply = own === null || own.status === 'refused' || own.status === 'left';
  return (
    <section className="panel" aria-labelledby="join">
      <div className="panel-head">
        <h1 id="join" className="text-16 font-semibold">
          申请{role.service}
        </h1>
        <p className="max-md:hidden">{lead}</p>
      </div>
      {!mayApply ? (
        <Standing own={own} role={role} />
      ) : isVerified ? (
        form
      ) : (
        <EmptyState
          title="先完成实名认证"
          action={
            <ButtonLink
              kind="primary"
              to={`/center/myself/identityAuthentication?returnUrl=${encodeURIComponent(role.join)}`}
            >
              去实名认证
            </ButtonLink>
          }
        >
          {role.service}须为已成年的实名用户。
        </EmptyState>
      )}
    </section>
  );
}
