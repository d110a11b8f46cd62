import { useState } from 'react';
import { Proof } from '#subjects/orders/web/parts/handover/proof.tsx';
import { fullAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import { Chip, Tag } from '#web/ui/tag.tsx';

interface Picture {
  url: string;
  thumb: string;
}

export interface CaseStatement {
  side: 'buyer' | 'seller';
  name: string;
  kind: 'form' | 'evidence' | 'appeal';
  answers: readonly { label: string; value: string }[];
  text: string;
  pictures: readonly Picture[];
  time: string;
}

const PARTIES = { buyer: '买家', seller: '卖家' } as const;
const KINDS = { form: '陈述', evidence: '补充证据', appeal: '上诉' } as const;

/** The traded goods as they were when the order was placed; nothing for goods without attributes. */
export function CaseFacts({ facts }: { facts: readonly { label: string; value: string }[] }) {
  if (facts.length === 0) return null;
  return (
    <div className="chips-whole">
      {facts.map(({ label, value }) => (
        <Chip key={label} name={label}>
          {value}
        </Chip>
      ))}
    </div>
  );
}

/** The statements of both parties, in order, each under its author. */
export function CaseStatements({ statements }: { statements: readonly CaseStatement[] }) {
  return (
    <section className="panel" aria-label="双方陈述">
      <div className="panel-head">
        <h2>双方陈述</h2>
      </div>
      <ol>
        {statements.map((s) => (
          <li
            key={`${s.side}${s.time}${s.kind}`}
            className="grid gap-2 border-b border-line-soft px-4 py-3 last:border-b-0"
          >
            <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-13">
              <Tag>{PARTIES[s.side]}</Tag>
              <b className="font-semibold">{s.name}</b>
              <span className="text-ink-3">{KINDS[s.kind]}</span>
              <time className="ml-auto text-12 text-ink-3" dateTime={s.time}>
                {fullAt(s.time)}
              </time>
            </p>
            {s.answers.length > 0 && (
              <dl className="grid gap-x-4 gap-y-1 text-13 md:grid-cols-[auto_1fr]">
                {s.answers.map(({ label, value }) => (
                  <div key={label} className="contents max-md:block">
                    <dt className="text-ink-3">{label}</dt>
                    <dd className="break-words">{value}</dd>
                  </div>
                ))}
              </dl>
            )}
            {s.text && <p className="text-14 leading-text break-words whitespace-pre-line">{s.text}</p>}
            <Proof pictures={s.pictures} />
          </li>
        ))}
      </ol>
    </section>
  );
}

export interface CaseEvidence {
  kind: 'step' | 'handover' | 'reveal' | 'money' | 'chat';
  who: string;
  text: string;
  pictures: readonly Picture[];
  time: string;
}

const EVIDENCE = { step: '订单', handover: '换绑', reveal: '密封', money: '资金', chat: '群聊' } as const;
const TABS = ['all', 'step', 'handover', 'reveal', 'money', 'chat'] as const;
const MAX_COLLAPSED = 12;

/** The platform's own records, newest first; can be filtered by kind. */
export function CaseEvidenceList({ evidence }: { evidence: readonly CaseEvidence[] }) {
  const [tab, setTab] = useState<(typeof TABS)[number]>('all');
  const [all, setAll] = useState(false);
  const kinds = TABS.filter((kind) => kind === 'all' || evidence.some((e) => e.kind === kind));
  const matching = evidence.filter((e) => tab === 'all' || e.kind === tab).toReversed();
  const visible = all ? matching : matching.slice(0, MAX_COLLAPSED);
  return (
    <section className="panel" aria-label="平台自动采集的证据">
      <div className="panel-head flex-wrap">
        <h2>平台自动采集</h2>
        <p>订单、换绑、密封信息、资金与群聊，无需双方提交</p>
      </div>
      <div className="flex flex-wrap gap-1.5 px-4 pt-3" role="group" aria-label="证据类别">
        {kinds.map((kind) => (
          <Button
            key={kind}
            size="sm"
            kind={tab === kind ? 'tonal' : 'plain'}
            aria-pressed={tab === kind}
            onClick={() => setTab(kind)}
          >
            {kind === 'all' ? '全部' : EVIDENCE[kind]}
          </Button>
        ))}
      </div>
      <ol className="px-4 py-3">
        {visible.map((e, index) => (
          <li
            key={`${e.time}${index}`}
            className="grid grid-cols-[40px_minmax(0,1fr)] gap-x-3 gap-y-1 border-b border-line-soft py-2 text-13 last:border-b-0 md:grid-cols-[40px_72px_minmax(0,1fr)_auto]"
          >
            <span className="text-12 text-ink-3">{EVIDENCE[e.kind]}</span>
            <span className="text-ink-2 max-md:order-3 max-md:col-start-2 max-md:text-12">
              {e.who}
              <time className="ml-2 text-ink-3 md:hidden" dateTime={e.time}>
                {fullAt(e.time)}
              </time>
            </span>
            <span className="grid gap-1.5 break-words">
              {e.text}
              <Proof pictures={e.pictures} />
            </span>
            <time className="text-12 text-ink-3 max-md:hidden" dateTime={e.time}>
              {fullAt(e.time)}
            </time>
          </li>
        ))}
      </ol>
      {matching.length > MAX_COLLAPSED && !all && (
        <p className="border-t border-line-soft py-2.5 text-center">
          <Button size="sm" onClick={() => setAll(true)}>
            查看全部 {matching.length} 条
          </Button>
        </p>
      )}
    </section>
  );
}

export interface CaseRuling {
  stage: number;
  refund: string;
  release: string;
  penalty: { side: 'buyer' | 'seller'; amount: string; taken: string | null } | null;
  reason: string;
  rules: readonly { no: string; title: string; body: string }[];
  time: string;
}

/** The rulings: the decision, the reasons, and the numbered rules that they cite. */
export function CaseRulings({
  rulings,
  viewer,
}: {
  rulings: readonly CaseRuling[];
  viewer: 'buyer' | 'seller' | 'staff';
}) {
  if (rulings.length === 0) return null;
  return (
    <section className="panel" aria-label="裁决">
      <div className="panel-head">
        <h2>裁决</h2>
        <p>依据公开的平台规则</p>
      </div>
      {rulings.toReversed().map((r, index) => (
        <div
          key={r.stage}
          className={cx('grid gap-3 border-b border-line-soft px-4 py-3.5 last:border-b-0', index > 0 && 'text-ink-3')}
        >
          <p className="flex flex-wrap items-baseline gap-x-5 gap-y-1 text-14">
            <b className="font-semibold">{r.stage === 1 ? '裁决' : '上诉裁决（最终）'}</b>
            <span>
              退回买家 <Amount yuan={r.refund} className="font-semibold" />
            </span>
            {viewer !== 'buyer' && (
              <span>
                卖家所得 <Amount yuan={r.release} className="font-semibold" />
              </span>
            )}
            {r.penalty && (
              <span>
                {r.penalty.side === 'seller' ? '卖家' : '买家'}保证金扣除{' '}
                <Amount yuan={r.penalty.taken ?? r.penalty.amount} className="font-semibold" />
                {r.penalty.taken === null && <span className="text-12 text-ink-3">（生效后执行）</span>}
              </span>
            )}
            {index > 0 && <Tag>已被上诉裁决取代</Tag>}
            <time className="ml-auto text-12 text-ink-3" dateTime={r.time}>
              {fullAt(r.time)}
            </time>
          </p>
          <p className="text-14 leading-text whitespace-pre-line">{r.reason}</p>
          <ul className="grid gap-1.5">
            {r.rules.map((rule) => (
              <li key={rule.no} className="rounded-control bg-sunken px-3 py-2 text-13 text-ink-2">
                <b className="mr-2 font-semibold">
                  规则 {rule.no} {rule.title}
                </b>
                {rule.body}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
