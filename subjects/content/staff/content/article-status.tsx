import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { PublicationStatus } from '#contract/rules/statuses.ts';
import type { SendOptions } from '#web/lib/api/mutation.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/forms/field.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

export const STATUS_OPTIONS = [
  ['0', '草稿'],
  ['1', '已发布'],
  ['2', '已撤下'],
] as const;

/** Whether an article is visible to readers. */
export function ArticleStatus({ status }: { status: number }) {
  const name = STATUS_OPTIONS.find(([key]) => key === String(status))?.[1] ?? '';
  return (
    <Tag
      {...(status === PublicationStatus.Published
        ? { tone: 'safe' as const }
        : status === PublicationStatus.Draft
          ? { tone: 'attn' as const }
          : {})}
    >
      {name}
    </Tag>
  );
}

const PHASES = {
  draft: ['草稿', 'attn'],
  scheduled: ['待发布', 'attn'],
  live: ['已发布', 'safe'],
  ended: ['已到期', undefined],
  withdrawn: ['已撤下', undefined],
} as const;

/** The state of an article with a scheduled time. */
export function ArticlePhase({ phase }: { phase: keyof typeof PHASES }) {
  const [name, tone] = PHASES[phase];
  return <Tag {...(tone && { tone })}>{name}</Tag>;
}

/** Publish, withdraw after confirmation, and the link to the editor. */
export function ArticleActions({
  id,
  name,
  status,
  editTo,
  send,
}: {
  id: number;
  /** The title, for the confirmation. */
  name: string;
  status: number;
  editTo: string;
  send: (input: { id: number; act: 'publish' | 'withdraw' }, options: SendOptions) => Promise<unknown>;
}) {
  const isPublished = status === PublicationStatus.Published;
  const [isAsking, setAsking] = useState(false);
  const { revalidate } = useRevalidator();
  const publish = useMutation(send, { revalidates: true, done: () => toast('已发布', 'ok') });
  return (
    <>
      <span className="inline-flex gap-2">
        <ButtonLink to={editTo} size="sm">
          编辑
        </ButtonLink>
        <Button
          size="sm"
          kind={isPublished ? 'ghost' : 'plain'}
          busy={publish.busy}
          onClick={() => (isPublished ? setAsking(true) : void publish.send({ id, act: 'publish' }))}
        >
          {isPublished ? '撤下' : '发布'}
        </Button>
      </span>
      <FormError className="row-error">{publish.error}</FormError>
      {isAsking && (
        <ConfirmDialog
          title={`撤下「${name}」`}
          action="撤下"
          danger
          question="撤下后，网站上马上不再显示；之后可以重新发布。"
          send={(_, options) => send({ id, act: 'withdraw' }, options)}
          onDone={() => {
            setAsking(false);
            toast('已撤下', 'ok');
            void revalidate();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
