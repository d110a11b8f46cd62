import { useState } from 'react';
import { Link } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import {
  inspectionCorrect,
  type inspectionList,
  inspectionWithdraw,
} from '#subjects/inspections/contract/inspection.ts';
import { fenOf, grouped } from '#web/lib/format/format.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ProofPictures, ReadingsTable } from '#web/parts/readings-table.tsx';
import { Button } from '#web/ui/button.tsx';
import { Countdown } from '#web/ui/countdown.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { SealForm } from './seal-form.tsx';

type Task = Data<typeof inspectionList>['list'][number];

const OPEN = ['waiting', 'queued', 'claimed', 'review'];

const toneOf = (task: Task): { tone?: 'safe' | 'attn' } => {
  if (task.status === 'done') return { tone: task.differs > 0 ? 'attn' : 'safe' };
  return OPEN.includes(task.status) ? { tone: 'attn' } : {};
};

const requestedBy = (task: Task): string => {
  if (task.kind === 'again') return task.isSeller ? '买家申请复验' : '您申请复验';
  return task.askedBy === 'staff' ? '平台邀请验号' : '申请验号';
};

/** One inspection with the viewer's actions: seal, withdraw, or apply the readings to the listing. */
export function TaskRow({ task, now }: { task: Task; now: string }) {
  const [isOpen, setShown] = useState(false);
  const withdraw = useMutation(inspectionWithdraw, {
    toasts: true,
    revalidates: 'always',
    done: () => toast('已撤回', 'ok'),
  });
  const correct = useMutation(inspectionCorrect, {
    toasts: true,
    revalidates: 'always',
    done: () => toast('已按验号结果更正，商品显示「已验号」', 'ok'),
  });
  const hasReadings = task.readings.length > 0;
  return (
    <li className="border-b border-line-soft px-4 py-3 last:border-b-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="min-w-0 flex-1 basis-60">
          <Link to={`/detail/${task.goodsSn}`} className="hit block truncate font-medium hover:text-brand-600">
            {task.title}
          </Link>
          <small className="block text-12 text-ink-3">
            {task.gameName} {task.goodsSn}，{requestedBy(task)} <TimeLabel at={task.createTime} />
            {fenOf(task.fee) > 0 && `，复验费 ¥${grouped(task.fee)}`}
            {task.openedNum > 0 && `，客服打开密封信息 ${task.openedNum} 次`}
          </small>
          {task.closedReason && <small className="block text-12 text-ink-3">{task.closedReason}</small>}
        </span>
        <span className="w-36 text-right max-md:w-auto">
          <Tag {...toneOf(task)}>{task.canSeal ? '请提交账号' : task.statusName}</Tag>
          {task.dueTime && (
            <small className="block text-12 text-attn">
              <Countdown until={task.dueTime} now={now} />
            </small>
          )}
        </span>
        <span className="flex flex-wrap gap-2">
          {hasReadings && (
            <Button size="sm" aria-expanded={isOpen} onClick={() => setShown(!isOpen)}>
              {isOpen ? '收起' : '结果'}
            </Button>
          )}
          {task.canCorrect && (
            <Button
              size="sm"
              kind="primary"
              busy={correct.busy}
              onClick={() => void correct.send({ taskId: task.taskId })}
            >
              按验号结果更正
            </Button>
          )}
          {task.canWithdraw && (
            <Button size="sm" busy={withdraw.busy} onClick={() => void withdraw.send({ taskId: task.taskId })}>
              撤回
            </Button>
          )}
        </span>
      </div>
      {task.canSeal && (
        <div className="mt-3 rounded-control border border-line p-3">
          <SealForm of={{ taskId: task.taskId }} onDone={() => undefined} />
        </div>
      )}
      {isOpen && (
        <div className="mt-3 grid gap-3">
          <ReadingsTable readings={task.readings} />
          <ProofPictures pictures={task.pictures} label="验号截图" />
        </div>
      )}
    </li>
  );
}
