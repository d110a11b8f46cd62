import { useState } from 'react';
import { Link, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { addClaimEvidence, type claimDetail, withdrawClaim } from '#subjects/guarantees/contract/guarantee.ts';
import { call } from '#web/lib/api/api.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ClaimClock } from '#subjects/disputes/web/parts/cases/claim-clock.tsx';
import { ClaimSteps } from '#subjects/disputes/web/parts/cases/claim-steps.tsx';
import { StatementForm } from '#subjects/disputes/web/parts/cases/statement-form.tsx';
import { withoutGame } from '#subjects/orders/web/parts/order/order-details.ts';
import { talkPath } from '#subjects/orders/web/parts/order/order-links.ts';
import { Proof } from '#subjects/orders/web/parts/handover/proof.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { Amount } from '#web/ui/price.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { useAutoRefresh } from '#web/lib/loading/use-auto-refresh.ts';
import { StateTag } from './list.tsx';

type ClaimFile = Data<typeof claimDetail>;

function Actions({ claim }: { claim: ClaimFile }) {
  const { revalidate } = useRevalidator();
  const [open, setOpen] = useState<'evidence' | 'withdraw' | null>(null);
  const { claimSn } = claim;
  const done = (message: string) => {
    toast(message, 'ok');
    setOpen(null);
    void revalidate();
  };
  const withdrawal = useMutation(withdrawClaim, { toasts: true, done: () => done('理赔已撤回，保障继续') });
  if (claim.acts.length === 0) return null;
  return (
    <section className="panel grid gap-3 px-4 py-4" aria-label="我可以做的">
      {open === 'evidence' ? (
        <StatementForm
          label="补充说明"
          submitLabel="提交证明"
          max={500}
          send={async (statement, options) => {
            await call(addClaimEvidence, { claimSn, ...statement }, options);
            done('证明已提交');
          }}
          onCancel={() => setOpen(null)}
        />
      ) : open === 'withdraw' ? (
        <div className="flex flex-wrap items-center gap-2 text-14" role="group" aria-label="撤回理赔">
          <span className="mr-auto">撤回后这次理赔结束，保障继续。确认撤回？</span>
          <Button onClick={() => setOpen(null)} disabled={withdrawal.busy}>
            再想想
          </Button>
          <Button kind="danger" busy={withdrawal.busy} onClick={() => void withdrawal.send({ claimSn })}>
            确认撤回
          </Button>
        </div>
      ) : (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setOpen('evidence')}>补充证明</Button>
          <Button kind="danger" onClick={() => setOpen('withdraw')}>
            撤回理赔
          </Button>
        </div>
      )}
    </section>
  );
}

/** One claim: its deadline, statements and evidence, and each step so far. */
export function ClaimPage({ claim, now }: { claim: ClaimFile; now: string }) {
  useAutoRefresh(claim.acts.length > 0);
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <section className="panel" aria-label="理赔状态">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line-soft px-4 py-3.5">
          <h1 className="text-20 font-semibold">{claim.statusName}</h1>
          <StateTag status={claim.status} name={claim.tierName} />
          <span className="ml-auto text-16 font-semibold">
            <Amount yuan={claim.paid ?? claim.asked} />
          </span>
        </div>
        <div className="grid gap-3 px-4 py-4">
          <ClaimClock clock={claim.clock} now={now} />
          {claim.refusal && (
            <p className="rounded-control bg-attn-bg px-3 py-2.5 text-13 text-ink-2" role="note">
              不予赔付：{claim.refusal}
            </p>
          )}
          {claim.paid && (
            <p className="rounded-control bg-safe-bg px-3 py-2.5 text-13 text-ink-2">
              赔付 <Amount yuan={claim.paid} className="font-semibold" /> 已到您的可用余额，
              <Link to="/center/mywallets/list" className="link">
                查看账单
              </Link>
              。
            </p>
          )}
        </div>
        <p className="flex flex-wrap gap-x-4 gap-y-1 border-t border-line-soft px-4 py-2.5 text-12 text-ink-3">
          <span className="inline-flex gap-1">
            理赔 <CopyButton text={claim.claimSn} label="理赔编号" />
          </span>
          <Link to={`/center/buyGuarantee?coverId=${claim.coverId}`} className="hover:text-link">
            {claim.gameName} {withoutGame(claim.bigTitle, claim.gameName)}
          </Link>
          <Link to={talkPath(claim.orderSn)} className="hover:text-link">
            进入群聊
          </Link>
        </p>
      </section>
      <Actions claim={claim} />
      <section className="panel" aria-label="申请内容">
        <div className="panel-head">
          <h2>申请内容</h2>
          <p>{claim.reasonName}</p>
        </div>
        <div className="grid gap-2 px-4 py-3">
          <p className="text-14 leading-text break-words whitespace-pre-line">{claim.explain}</p>
          <Proof pictures={claim.pictures} />
        </div>
      </section>
      <ClaimSteps steps={claim.steps} />
    </div>
  );
}
