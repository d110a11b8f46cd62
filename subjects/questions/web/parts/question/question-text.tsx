import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PublicQuestion } from '#subjects/questions/contract/question.ts';
import { cx } from '#web/ui/class-names.ts';
import { Tag } from '#web/ui/tag.tsx';
import { TimeLabel } from '#web/ui/time-label.tsx';

function Mark({ children, tone }: { children: string; tone: string }) {
  return (
    <span
      className={cx('mt-0.5 grid size-5 flex-none place-items-center rounded-[4px] text-12', tone)}
      aria-hidden="true"
    >
      {children}
    </span>
  );
}

/** A question with its answer, or with what happens while it waits. */
export function QuestionText({
  question,
  waiting,
  onQuestion,
  onAnswer,
}: {
  question: PublicQuestion;
  waiting: string;
  /** Acts beside the question and beside the answer. */
  onQuestion?: ReactNode;
  onAnswer?: ReactNode;
}) {
  const { content, asker, time, answer } = question;
  return (
    <div className="grid gap-2">
      <div className="flex gap-2.5">
        <Mark tone="bg-sunken text-ink-2">问</Mark>
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">{content}</p>
          <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-12 text-ink-3">
            {asker}
            <TimeLabel at={time} />
            {question.isPrivate && <Tag>不公开</Tag>}
            <span className="ml-auto">{onQuestion}</span>
          </p>
        </div>
      </div>
      <div className="flex gap-2.5">
        {answer ? <Mark tone="bg-hover text-link">答</Mark> : <Mark tone="bg-attn-bg text-attn">等</Mark>}
        <div className="min-w-0 flex-1">
          {answer ? (
            <>
              <p className="break-words whitespace-pre-line">{answer.content}</p>
              <p className="mt-0.5 flex flex-wrap items-center gap-x-3 text-12 text-ink-3">
                卖家
                <TimeLabel at={answer.time} />
                {answer.merged && (
                  <Tag tone="safe">
                    <Check className="icon size-3" aria-hidden="true" />
                    已写进商品描述
                  </Tag>
                )}
                <span className="ml-auto flex items-center gap-3">{onAnswer}</span>
              </p>
            </>
          ) : (
            <p className="text-ink-3">{waiting}</p>
          )}
        </div>
      </div>
    </div>
  );
}
