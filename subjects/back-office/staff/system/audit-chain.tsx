import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import { useState } from 'react';
import { type auditChain, verifyChain } from '#subjects/back-office/contract/audit.ts';
import type { Data } from '#contract/endpoint.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { grouped } from '#web/lib/format/format.ts';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';

type Chain = Data<typeof auditChain>;
type Break = Chain['nights'][number]['breaks'][number];

/** One verification, nightly or on demand. */
interface Verified {
  time: string;
  seq: number;
  heads: number;
  breaks: readonly Break[];
}

const MAIL_TEXT: Readonly<Record<Chain['mail'], string>> = {
  none: '每天写入存证文件。没有设置收件邮箱（AUDIT_MAIL），链头没有寄出。',
  local: '每天写入存证文件，并寄给保管人。现在的邮件由本机代收，没有寄到外面。',
  sent: '每天写入存证文件，并寄给保管人。',
};

/** The position of the first break, as text. */
const breakPosition = ({ day, seq, row }: Break): string =>
  [day, seq !== null && `第 ${grouped(seq)} 条`, row !== null && `记录 ${row}`].filter((part) => part).join('，');

function Result({ verification }: { verification: Verified | null }) {
  const [first] = verification?.breaks ?? [];
  const Icon = verification === null ? Clock : first ? CircleAlert : CircleCheck;
  return (
    <div className="flex items-start gap-2.5" aria-live="polite">
      <Icon
        className={`icon mt-0.5 ${verification === null ? 'text-ink-3' : first ? 'text-danger' : 'text-safe'}`}
        aria-hidden="true"
      />
      <div className="grid min-w-0 gap-1">
        <p className="font-medium">
          {verification === null
            ? '还没有校验过'
            : first
              ? `${verification.breaks.length} 处不符，第一处在 ${breakPosition(first)}`
              : `${grouped(verification.seq)} 条首尾相接，没有改动`}
        </p>
        <p className="text-12 text-ink-3">
          {verification === null
            ? '每天 03:40 自动校验，也可以现在校验。'
            : `${fullAt(verification.time)} 校验，比对了 ${grouped(verification.heads)} 份每日存证`}
        </p>
        {verification !== null && verification.breaks.length > 0 && (
          <ul className="mt-1 grid gap-1 text-13 text-danger">
            {verification.breaks.slice(0, 10).map((b) => (
              <li key={`${b.seq} ${b.row} ${b.text}`}>
                {b.day} {b.text}
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function NightlyChecks({ nights, mail }: Pick<Chain, 'nights' | 'mail'>) {
  if (nights.length === 0) return <p className="text-13 text-ink-3">还没有到第一个夜间校验的时间。</p>;
  return (
    <ul className="grid gap-1.5 text-13">
      {nights.map((n) => (
        <li key={n.day} className="flex flex-wrap items-baseline gap-x-3">
          <span className="w-20 shrink-0 text-ink-3">{n.day}</span>
          <span className={n.breaks.length > 0 ? 'text-danger' : undefined}>
            {n.endTime === null
              ? '校验中'
              : n.breaks.length > 0
                ? `${n.breaks.length} 处不符`
                : `${grouped(n.seq ?? 0)} 条相符`}
          </span>
          {n.head !== null && n.breaks.length === 0 && (
            <code className="font-mono text-12 text-ink-3">{n.head.slice(0, 16)}</code>
          )}
          {mail !== 'none' && n.endTime !== null && !n.mailed && <span className="text-danger">邮件没有寄出</span>}
        </li>
      ))}
    </ul>
  );
}

/** The audit log's hash chain: its current head, the last verification, and the heads of the last days. */
export function AuditChain({ chain }: { chain: Chain }) {
  const [verified, setVerified] = useState<Data<typeof verifyChain> | null>(null);
  const { busy, error, send } = useMutation(verifyChain, { done: setVerified });
  const night = chain.nights.find(({ endTime }) => endTime !== null);
  const last = night && { ...night, time: night.endTime ?? '', seq: night.seq ?? 0, heads: night.heads ?? 0 };
  const { seq, head } = verified ?? chain;
  return (
    <section className="panel mb-4" aria-label="校验链">
      <div className="panel-head">
        <h2>校验链</h2>
        <Button size="sm" className="ml-auto" busy={busy} onClick={() => void send({})}>
          立即校验
        </Button>
      </div>
      <FormError className="px-4 pt-3">{error}</FormError>
      <div className="grid gap-x-8 gap-y-4 p-4 lg:grid-cols-2">
        <div className="grid content-start gap-4">
          <Result verification={verified ?? last ?? null} />
          <dl className="grid gap-1 text-13">
            <dt className="text-12 text-ink-3">当前链头，第 {grouped(seq)} 条</dt>
            <dd className="font-mono text-12 break-all">{head}</dd>
          </dl>
        </div>
        <div className="grid content-start gap-2">
          <h3 className="text-12 font-normal text-ink-3">每日存证</h3>
          <NightlyChecks nights={chain.nights} mail={chain.mail} />
          <p className="text-12 text-ink-3">{MAIL_TEXT[chain.mail]}</p>
        </div>
      </div>
    </section>
  );
}
