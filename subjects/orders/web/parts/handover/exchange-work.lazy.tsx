import { Check } from 'lucide-react';
import { useState } from 'react';
import type { ExchangeAction } from '../../../rules/exchange.ts';
import { shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import {
  CodeForm,
  FinishForm,
  type Move,
  OpenButton,
  Quiet,
  type Step,
  TargetForm,
  useMove,
} from './exchange-forms.tsx';
import { hintEnd, moveNote, moveTitle, partyOf } from './exchange-text.ts';

/**
 * The operator's last move: the code that the other party sealed, then the proof. The button that opens the code stays mounted while the page
 * reloads itself, because the opened code belongs to it.
 */
function FinishWork({ orderId, step }: { orderId: number; step: Step }) {
  const { code, codeUntil, canOpenCode } = step.exchange;
  const isRead = code === 'read';
  return (
    <>
      <div className={isRead ? 'empty:hidden' : 'due-action'}>
        {canOpenCode && (
          <OpenButton orderId={orderId} step={step.step} part="code" kind={isRead ? 'tonal' : 'primary'}>
            {isRead ? '再看一次验证码' : '查看验证码'}
          </OpenButton>
        )}
        {codeUntil && <span className="text-12 text-ink-3 max-md:hidden">{shortAt(codeUntil).slice(6)} 前有效</span>}
      </div>
      {isRead && <FinishForm orderId={orderId} step={step} />}
    </>
  );
}

/** The viewer's form for the current move. */
function CurrentWork({ orderId, step, move }: { orderId: number; step: Step; move: Move }) {
  const { busy, error, move: action } = useMove(orderId, step);
  if (!move.mine) return null;
  if (move.move === 'target') return <TargetForm orderId={orderId} step={step} />;
  if (move.move === 'code') return <CodeForm orderId={orderId} step={step} />;
  if (move.move === 'start')
    return (
      <>
        <FormError>{error}</FormError>
        <div className="due-action">
          <Button kind="primary" busy={busy} className="max-md:w-full" onClick={() => action('start')}>
            {step.exchange.code === 'expired' || step.exchange.isCodeMissing
              ? '已重新获取验证码'
              : '已发起，验证码已发出'}
          </Button>
        </div>
      </>
    );
  return <FinishWork orderId={orderId} step={step} />;
}

/** The secondary actions of a completed move: open the value again, replace it, or undo the move. */
function DoneActions({ orderId, step, move }: { orderId: number; step: Step; move: Move }) {
  const { exchange } = step;
  const [isReplacing, setReplacing] = useState(false);
  const { busy, error, move: action } = useMove(orderId, step);
  const can = (name: ExchangeAction) => exchange.acts.includes(name);
  const sent = () => setReplacing(false);
  if (isReplacing && move.move === 'target') return <TargetForm orderId={orderId} step={step} isInline onSent={sent} />;
  if (isReplacing && move.move === 'code') return <CodeForm orderId={orderId} step={step} isInline onSent={sent} />;
  return (
    <>
      {move.move === 'target' && exchange.targetHint !== null && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-13">
          <b className="font-semibold tracking-[0.02em] tabular-nums">{exchange.targetHint}</b>
          {exchange.targetOpenedTime && (
            <span className="text-12 text-ink-3">
              {move.mine ? '卖家' : '您'} {shortAt(exchange.targetOpenedTime).slice(6)} 看过
            </span>
          )}
        </p>
      )}
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1.5 empty:hidden">
        {move.move === 'target' && exchange.canOpenTarget && (
          <OpenButton orderId={orderId} step={step.step} part="target">
            {exchange.targetOpenedTime ? '再看 60 秒' : '查看号码'}
          </OpenButton>
        )}
        {move.move === 'target' && can('refuse') && (
          <Quiet busy={busy} onClick={() => action('refuse')}>
            号码已被占用，请买家换一个
          </Quiet>
        )}
        {move.move === 'target' && can('target') && <Quiet onClick={() => setReplacing(true)}>换一个号</Quiet>}
        {move.move === 'start' && can('undo') && (
          <Quiet busy={busy} onClick={() => action('undo')}>
            撤回这一步
          </Quiet>
        )}
        {move.move === 'code' && can('code') && <Quiet onClick={() => setReplacing(true)}>换一个验证码</Quiet>}
      </p>
      <FormError>{error}</FormError>
    </>
  );
}

function MoveRow({ orderId, step, move, isLast }: { orderId: number; step: Step; move: Move; isLast: boolean }) {
  const { exchange } = step;
  const isCurrent = move.state === 'current';
  const note = moveNote(exchange, move);
  const isAlert =
    isCurrent &&
    ((move.move === 'target' && exchange.isTargetRefused) || (move.move === 'start' && exchange.isCodeMissing));
  return (
    <li
      className={cx(
        'relative grid grid-cols-[22px_minmax(0,1fr)] gap-x-3 border-t border-line-soft px-4 py-3',
        isCurrent && (move.mine ? 'bg-attn-bg' : 'bg-brand-25'),
      )}
      aria-current={isCurrent ? 'step' : undefined}
    >
      <span
        className={cx(
          'z-1 mt-0.5 grid size-5.5 place-items-center rounded-full border-2 bg-panel',
          move.state === 'done' && 'border-safe bg-safe text-panel',
          isCurrent && (move.mine ? 'border-attn-dot' : 'border-brand-500'),
          move.state === 'waiting' && 'border-line-strong',
        )}
        aria-hidden="true"
      >
        {move.state === 'done' && <Check className="icon size-3" strokeWidth={3} />}
      </span>
      {!isLast && (
        <span
          className={cx(
            'absolute top-9 bottom-[-12px] left-[26px] w-0.5',
            move.state === 'done' ? 'bg-safe' : 'bg-line',
          )}
          aria-hidden="true"
        />
      )}
      <div className="grid min-w-0 gap-1.5">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <span
            className={cx(
              'rounded-full px-2 py-px text-12 font-medium',
              move.mine ? 'bg-brand-100 text-brand-700' : 'bg-sunken text-ink-2',
            )}
          >
            {partyOf(move)}
          </span>
          <b className={cx('font-semibold', move.state === 'waiting' && 'font-medium text-ink-3')}>
            {moveTitle(exchange, move)}
          </b>
          {move.time && <span className="text-12 text-ink-3">{shortAt(move.time).slice(6)}</span>}
        </p>
        {note !== '' && (
          <p
            className={cx('text-12', isAlert ? 'font-medium text-attn' : 'text-ink-3')}
            role={isAlert ? 'status' : undefined}
          >
            {note}
          </p>
        )}
        {isCurrent && <CurrentWork orderId={orderId} step={step} move={move} />}
        {move.state === 'done' && <DoneActions orderId={orderId} step={step} move={move} />}
        {isCurrent && move.move === 'target' && exchange.targetHint !== null && (
          <p className="text-12 text-ink-3">刚才的号码：{hintEnd(exchange.targetHint)}</p>
        )}
      </div>
    </li>
  );
}

/**
 * A step in which the parties exchange a number and codes: its moves in order, visible to both, with the form of the
 * current move for its party.
 */
export default function ExchangeWork({ orderId, step }: { orderId: number; step: Step }) {
  const { exchange } = step;
  const { busy, error, move } = useMove(orderId, step);
  return (
    <>
      <ol aria-label={step.title}>
        {exchange.moves.map((m, i) => (
          <MoveRow key={m.move} orderId={orderId} step={step} move={m} isLast={i === exchange.moves.length - 1} />
        ))}
      </ol>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line-soft px-4 py-2.5 text-12 text-ink-3">
        <span className="min-w-0 flex-1 basis-64">
          号码和验证码只填在上面的密封格里，换绑完成后清除。聊天里发出的号码会被遮挡，对方看不到。
        </span>
        {exchange.acts.includes('more') && (
          <Quiet busy={busy} onClick={() => move('more')}>
            需要更多时间，延长 30 分钟
          </Quiet>
        )}
        {exchange.isExtended && <span>已延长 30 分钟</span>}
      </div>
      <FormError className="px-4 pb-3">{error}</FormError>
    </>
  );
}
