import { PublicationStatus } from '#contract/rules/statuses.ts';
import type { SendOptions } from '#web/lib/mutation.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { FormError } from '#web/ui/field.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/toast-store.ts';

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

/** Where an article with a time is on its way. */
export function ArticlePhase({ phase }: { phase: keyof typeof PHASES }) {
  const [name, tone] = PHASES[phase];
  return <Tag {...(tone && { tone })}>{name}</Tag>;
}

/** Publish and withdraw, with links to the editor and to the public page. */
export function ArticleActions({
  id,
  status,
  editTo,
  send,
}: {
  id: number;
  status: number;
  editTo: string;
  send: (input: { id: number; act: 'publish' | 'withdraw' }, options: SendOptions) => Promise<unknown>;
}) {
  const isPublished = status === PublicationStatus.Published;
  const toggle = useMutation(send, {
    revalidates: true,
    done: (_, { act }) => toast(act === 'withdraw' ? '已撤下' : '已发布', 'ok'),
  });
  return (
    <>
      <span className="inline-flex gap-2">
        <ButtonLink to={editTo} size="sm">
          编辑
        </ButtonLink>
        <Button
          size="sm"
          kind={isPublished ? 'ghost' : 'plain'}
          busy={toggle.busy}
          onClick={() => void toggle.send({ id, act: isPublished ? 'withdraw' : 'publish' })}
        >
          {isPublished ? '撤下' : '发布'}
        </Button>
      </span>
      <FormError className="row-error">{toggle.error}</FormError>
    </>
  );
}
