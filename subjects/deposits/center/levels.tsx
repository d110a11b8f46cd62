import { Check } from 'lucide-react';
import { useState } from 'react';
import { grouped } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import type { DepositData, Level, RoleDeposit } from './deposit-loader.ts';
import { PayDialog } from './pay-dialog.tsx';

const VERIFY = '/center/myself/identityAuthentication?returnUrl=%2Fcenter%2Fmyself%2FdepositWithdraw';

/** The levels of a role: requirements and benefits of each. */
export function Levels({ deposit, data }: { deposit: RoleDeposit; data: DepositData }) {
  const [paying, setPaying] = useState<Level | null>(null);
  return (
    <section className="panel" aria-labelledby="levels">
      <div className="panel-head">
        <h2 id="levels">{deposit.roleName}保证金等级</h2>
        <p>退还等待 {deposit.releaseDays} 天</p>
      </div>
      <ul className="grid gap-3 p-4 md:grid-cols-2">
        {deposit.levels.map((level) => (
          <li
            key={level.level}
            className={cx(
              'grid content-start gap-2 rounded-card border p-4',
              level.reached ? 'border-brand-300 bg-brand-25' : 'border-line',
            )}
          >
            <p className="flex items-center gap-2">
              <b className="text-14 font-semibold">{level.name}</b>
              {level.reached && (
                <Tag tone={deposit.release ? 'attn' : 'safe'}>{deposit.release ? '退还中，权益已停' : '已达到'}</Tag>
              )}
              <span className="ml-auto text-16 font-semibold">
                <Amount yuan={level.amount} />
              </span>
            </p>
            <ul className="grid gap-1 text-13 text-ink-2">
              {level.benefits.map((benefit) => (
                <li key={benefit} className="flex gap-1.5">
                  <Check className="icon mt-0.5 size-3.5 text-safe" aria-hidden="true" />
                  {benefit}
                </li>
              ))}
            </ul>
            {!level.reached &&
              (data.isVerified ? (
                <Button
                  className="mt-1 justify-self-start"
                  disabled={deposit.release !== null}
                  title={deposit.release ? '退还进行中，取消后才能缴纳' : undefined}
                  onClick={() => setPaying(level)}
                >
                  缴纳 {grouped(level.missing)} 元
                </Button>
              ) : (
                <ButtonLink className="mt-1 justify-self-start" to={VERIFY}>
                  实名后缴纳
                </ButtonLink>
              ))}
          </li>
        ))}
      </ul>
      {paying && <PayDialog deposit={deposit} level={paying} data={data} onClose={() => setPaying(null)} />}
    </section>
  );
}
