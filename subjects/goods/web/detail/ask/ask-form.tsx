import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { askSeller, type PublicQuestion } from '#subjects/questions/contract/question.ts';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { QUESTION_TEXT_MAX, usualQuestions } from '#subjects/questions/rules/question.ts';
import { cookie } from '#web/lib/session/cookies.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError, useMessage } from '#web/ui/forms/field.tsx';
import { Radio, Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { DetailData } from '../loader.ts';

/** Listed questions that share two consecutive characters with the input. */
function similarTo(typed: string, items: readonly PublicQuestion[]): PublicQuestion[] {
  const text = typed.replace(/[\s？?。，,！!吗呢]/g, '');
  const pairs = Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2));
  return items.filter(({ answer, content }) => answer && pairs.some((pair) => content.includes(pair))).slice(0, 2);
}

/** The part of a question that would be sent; null when all of it would be. Without the filter's script the server cuts it anyway. */
async function partSent(content: string): Promise<string | null> {
  try {
    const { maskContacts } = await import('#contract/rules/contacts/contacts.ts');
    const { masked, text } = maskContacts(content.trim());
    return masked && text !== '' ? text : null;
  } catch {
    return null;
  }
}

const VISIBILITY = [
  [true, '只有卖家和我能看到'],
  [false, '公开，也帮到其他买家'],
] as const;

/** Shows the audience of the question and its answer. */
function Visibility({
  name,
  isPrivate,
  onChange,
}: {
  name: string;
  isPrivate: boolean;
  onChange: (isPrivate: boolean) => void;
}) {
  return (
    <div className="flex flex-wrap gap-x-5 gap-y-1 text-13" role="group" aria-label="谁能看到">
      {VISIBILITY.map(([value, label]) => (
        <Radio key={label} name={name} checked={isPrivate === value} onChange={() => onChange(value)}>
          {label}
        </Radio>
      ))}
    </div>
  );
}

/** A question to the seller, private or public. The parts that would be cut are shown before it is sent. */
export function AskForm({
  goods,
  items,
  first = '',
  asPrivate = false,
  className,
  onAsked,
}: {
  goods: DetailData['goods'];
  items: readonly PublicQuestion[];
  /** The initial text. */
  first?: string;
  /** Whether the question is private by default. */
  asPrivate?: boolean;
  className?: string;
  onAsked: () => void;
}) {
  const [content, setContent] = useState(first);
  const [isPrivate, setPrivate] = useState(asPrivate);
  const [part, setPart] = useState<string | null>(null);
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { form, busy, errors, send } = useMutation(askSeller, {
    fields: ['content'],
    check: ({ content: text }) => ({ content: text.trim().length < 4 ? '请把问题写清楚，至少 4 个字' : undefined }),
    done: () => {
      toast('已发给卖家，回答后通知您', 'ok');
      setContent('');
      setPart(null);
      onAsked();
    },
  });
  const [message, onEdit] = useMessage(errors.content);
  const change = (text: string) => {
    setContent(text);
    setPart(null);
    onEdit();
  };
  const ask = async () => {
    if (!cookie('token')) {
      await navigate(`/login?returnUrl=${encodeURIComponent(`${pathname}${search}#questions`)}`);
      return;
    }
    const left = part === null ? await partSent(content) : null;
    if (left === null) await send({ goodsSn: goods.goodsSn, content, isPrivate });
    else setPart(left);
  };
  const similar = similarTo(content, items);
  const usual = items.length === 0 ? usualQuestions(goods.goodsTypeId) : [];
  return (
    <form
      ref={form}
      noValidate
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        void ask();
      }}
    >
      <div className="grid gap-2">
        <Textarea
          name="content"
          aria-label="问题"
          aria-invalid={message ? true : undefined}
          rows={2}
          maxLength={QUESTION_TEXT_MAX}
          placeholder={
            isService(goods.goodsTypeId)
              ? '时间、段位、打法……想知道什么就问'
              : '换绑、皮肤、违规记录……想知道什么就问卖家'
          }
          value={content}
          onChange={(event) => change(event.target.value)}
        />
        <FormError>{message}</FormError>
        <ContactHint text={content} />
        {usual.length > 0 && (
          <p className="flex flex-wrap gap-1.5">
            {usual.map((text) => (
              <Button key={text} size="sm" onClick={() => change(text)}>
                {text}
              </Button>
            ))}
          </p>
        )}
        {similar.length > 0 && (
          <p className="text-12 text-ink-2">
            有人问过：
            {similar.map(({ questionId, content: text }) => (
              <a key={questionId} href={`#question-${questionId}`} className="link mr-3">
                {text}
              </a>
            ))}
          </p>
        )}
        <Visibility name={`visibility${asPrivate}`} isPrivate={isPrivate} onChange={setPrivate} />
        {part !== null && (
          <p className="rounded-control border border-attn-line bg-attn-bg px-3 py-2 text-13 text-attn" role="alert">
            含联系方式的句子不会发出，卖家只会看到：「{part}」
          </p>
        )}
        <FormError>{errors.send}</FormError>
        <div className="flex flex-wrap items-center gap-3">
          <p className="min-w-0 flex-1 text-12 text-ink-3">
            {isPrivate ? '回答也只有您能看到' : '公开显示，名字会遮挡'}；请不要留联系方式。
          </p>
          <span className="text-12 text-ink-3">
            {content.length} / {QUESTION_TEXT_MAX}
          </span>
          <Button type="submit" kind="primary" busy={busy}>
            {part === null ? '问卖家' : '就发这部分'}
          </Button>
        </div>
      </div>
    </form>
  );
}
