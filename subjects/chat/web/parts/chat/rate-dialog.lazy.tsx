import { Star } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { SERVICE_TAGS } from '../../../rules/service-quality.ts';
import { isNetworkFailure } from '#web/lib/api/api-failure.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { BackButton, Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Checkbox, Radio, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import { useChat } from '../chat-link/chat-context.tsx';

const LABELS = ['很不满意', '不满意', '一般', '满意', '非常满意'] as const;
const MAX_TAGS = 6;

/** Five stars as radio buttons: arrow keys choose, screen readers read the labels. */
function Stars({ score, onChange }: { score: number; onChange: (score: number) => void }) {
  return (
    <fieldset className="chat-stars">
      <legend className="text-13 text-ink-2">平台客服的服务</legend>
      {LABELS.map((starLabel, index) => (
        <label key={starLabel} title={starLabel}>
          <input
            type="radio"
            name="score"
            value={index + 1}
            checked={score === index + 1}
            onChange={() => onChange(index + 1)}
          />
          <Star
            className={cx('icon size-7', index < score ? 'text-attn' : 'text-ink-4')}
            fill={index < score ? 'currentColor' : 'none'}
            aria-hidden="true"
          />
          <span className="sr-only">{starLabel}</span>
        </label>
      ))}
      <span className="ml-2 text-13 text-ink-2" aria-hidden="true">
        {LABELS[score - 1] ?? ''}
      </span>
    </fieldset>
  );
}

/** Asks for a rating of a conversation's customer service. An error keeps the input. */
export default function RateDialog({
  groupId,
  before,
  onClose,
  onDone,
}: {
  groupId: string;
  before: number | null;
  onClose: () => void;
  onDone: () => void;
}) {
  const chat = useChat();
  const [score, setScore] = useState(before ?? 0);
  const [solved, setSolved] = useState<boolean | null>(null);
  const [tags, setTags] = useState<readonly string[]>([]);
  const [content, setContent] = useState('');
  const { busy, error, send } = useMutation(
    async () =>
      await chat.api.rate?.({
        groupId,
        score,
        tags: JSON.stringify(tags),
        ...(solved !== null && { solved }),
        ...(content.trim() !== '' && { content: content.trim() }),
      }),
    {
      check: () => ({ send: score === 0 ? '请先选择评分' : undefined }),
      failed: (failure) => (isNetworkFailure(failure) ? { send: '网络错误' } : undefined),
      done: () => {
        toast('感谢评价', 'ok');
        onDone();
      },
    },
  );
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    void send();
  };
  return (
    <Dialog
      title="评价客服"
      onClose={onClose}
      footer={
        <>
          <BackButton>取消</BackButton>
          <Button kind="primary" busy={busy} onClick={() => submit()}>
            提交评价
          </Button>
        </>
      }
    >
      <form className="grid gap-4" onSubmit={submit}>
        <Stars score={score} onChange={setScore} />
        <fieldset className="flex flex-wrap items-center gap-4">
          <legend className="mb-1 text-13 text-ink-2">问题解决了吗</legend>
          <Radio name="solved" checked={solved === true} onChange={() => setSolved(true)}>
            已解决
          </Radio>
          <Radio name="solved" checked={solved === false} onChange={() => setSolved(false)}>
            未解决
          </Radio>
        </fieldset>
        <fieldset className="flex flex-wrap gap-x-4 gap-y-2">
          <legend className="mb-1 text-13 text-ink-2">感受（可多选）</legend>
          {SERVICE_TAGS.map((tag) => (
            <Checkbox
              key={tag}
              checked={tags.includes(tag)}
              onChange={(event) =>
                setTags(event.target.checked ? [...tags, tag].slice(0, MAX_TAGS) : tags.filter((t) => t !== tag))
              }
            >
              {tag}
            </Checkbox>
          ))}
        </fieldset>
        <Field label="想说的话">
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              maxLength={300}
              value={content}
              onChange={(event) => setContent(event.target.value)}
            />
          )}
        </Field>
        <FormError>{error}</FormError>
      </form>
    </Dialog>
  );
}
