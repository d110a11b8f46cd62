import { type ReactNode, useState } from 'react';
import { useRevalidator } from 'react-router';
import { grouped } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { ReasonDialog } from './reason-dialog.tsx';

/** The text shown to the second person before and after the decision. */
interface DecisionText {
  question: string;
  done: string;
}

/** A decision above the limit that needs a second person, with the buttons to approve or return it. */
export function SecondReview({
  title,
  by,
  limit,
  isMine,
  mayDecide,
  allow,
  reject,
  send,
  children,
}: {
  title: string;
  /** The person who decided first. */
  by: string;
  /** The amount in yuan above which a second person decides; undefined = any amount. */
  limit?: string;
  isMine: boolean;
  mayDecide: boolean;
  allow: DecisionText;
  reject: DecisionText;
  send: (decided: { allow: boolean; note?: string }) => Promise<unknown>;
  children: ReactNode;
}) {
  const { revalidate } = useRevalidator();
  const [deciding, setDeciding] = useState<boolean | null>(null);
  const heading = deciding ? '复核通过' : '退回';
  return (
    <section className="panel" aria-label={title}>
      <div className="panel-head">
        <h2>{title}</h2>
        <p>
          {by} 提交{limit === undefined ? '，理赔由两人决定（规则 5.7）' : `，金额超过 ${grouped(limit)} 元`}
        </p>
      </div>
      <div className="grid gap-2 px-4 py-3 text-13">
        {children}
        {mayDecide ? (
          <p className="flex gap-2">
            <Button size="sm" kind="primary" onClick={() => setDeciding(true)}>
              复核通过
            </Button>
            <Button size="sm" onClick={() => setDeciding(false)}>
              退回
            </Button>
          </p>
        ) : (
          <p className="text-12 text-ink-3">{isMine ? '等待另一位同事复核' : '没有复核权限'}</p>
        )}
      </div>
      {deciding !== null && (
        <ReasonDialog
          title={heading}
          action={deciding ? '通过' : '退回'}
          question={(deciding ? allow : reject).question}
          reasonLabel="说明"
          isReasonNeeded={!deciding}
          send={(note) => send({ allow: deciding, ...(note && { note }) })}
          onDone={() => {
            toast((deciding ? allow : reject).done, 'ok');
            setDeciding(null);
            void revalidate();
          }}
          onClose={() => setDeciding(null)}
        />
      )}
    </section>
  );
}
