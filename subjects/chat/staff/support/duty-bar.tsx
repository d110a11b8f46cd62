import { useState } from 'react';
import type { Data } from '#contract/endpoint.ts';
import { type staffWorkbench, staffDuty } from '#subjects/chat/contract/im-support.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { NotifySwitch, SoundSwitch } from '../../web/parts/chat/switches.tsx';
import { shortAt } from '#web/lib/format/times.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { secondsText } from '#subjects/back-office/staff/parts/seconds.ts';

type Duty = Data<typeof staffWorkbench>;

/** Asks an agent who goes off duty what to do with their open groups. */
function LeaveDialog({ load, onClose, onLeave }: { load: number; onClose: () => void; onLeave: (r: boolean) => void }) {
  return (
    <Dialog
      title="下班"
      onClose={onClose}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button onClick={() => onLeave(false)}>保留会话</Button>
          <Button kind="primary" onClick={() => onLeave(true)}>
            全部转出
          </Button>
        </>
      }
    >
      <p className="text-13 text-ink-2">
        您还有 {load} 个进行中的会话。全部转出：按规则分给当班同事，无人空闲时排队；保留会话：仍由您负责，不再分配新的。
      </p>
    </Dialog>
  );
}

/** The caller's state: on duty or not, number of groups, length of the queue, and the day's figures. */
export function DutyBar({ duty }: { duty: Duty }) {
  const [leaving, setLeaving] = useState(false);
  const { busy, send } = useMutation(staffDuty, {
    toasts: true,
    revalidates: true,
    done: ({ handed }, { onDuty }) =>
      toast(onDuty ? '已上班，会按规则分配新会话' : handed > 0 ? `已下班，转出 ${handed} 个会话` : '已下班', 'ok'),
  });
  const set = async (onDuty: boolean, release: boolean) => {
    setLeaving(false);
    await send({ onDuty, release });
  };
  const { today } = duty;
  const figures: readonly [string, string][] = [
    ['接待中', `${duty.load} / ${duty.maxChats}`],
    ['排队', duty.waitingSince ? `${duty.waiting}，最早 ${shortAt(duty.waitingSince)}` : '0'],
    ['今日接待', String(today.groups)],
    ['首次回复', secondsText(today.firstReplySeconds)],
    ['解决', `${today.solved}${today.solveSeconds === null ? '' : `，${secondsText(today.solveSeconds)}`}`],
    ['评分', today.score === null ? '暂无' : `${today.score.toFixed(1)}（${today.ratings}）`],
  ];
  return (
    <div className="workbench-bar">
      <Button
        size="sm"
        role="switch"
        aria-checked={duty.onDuty}
        kind={duty.onDuty ? 'tonal' : 'plain'}
        busy={busy}
        onClick={() => (duty.onDuty && duty.load > 0 ? setLeaving(true) : void set(!duty.onDuty, false))}
      >
        <i className={cx('dot', duty.onDuty ? 'dot-on' : 'dot-attn')} aria-hidden="true" />
        {duty.onDuty ? '当班' : '已下班'}
      </Button>
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        {duty.shift && (
          <div>
            <dt>班次</dt>
            <dd>
              {shortAt(duty.shift.startsAt)} 至 {shortAt(duty.shift.endsAt)}
            </dd>
          </div>
        )}
      </dl>
      <span className="ml-auto flex items-center gap-3">
        <SoundSwitch />
        <NotifySwitch />
      </span>
      {leaving && (
        <LeaveDialog
          load={duty.load}
          onClose={() => setLeaving(false)}
          onLeave={(release) => void set(false, release)}
        />
      )}
    </div>
  );
}
