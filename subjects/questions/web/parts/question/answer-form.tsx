import { useState } from 'react';
import { codes } from '#contract/codes.ts';
import { answerQuestion } from '#subjects/questions/contract/question.ts';
import { QUESTION_ANSWER_MAX } from '../../../rules/question.ts';
import { isError } from '#web/lib/api/call-errors.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

/** The seller's answer to a question; what was typed stays when it fails. */
export function AnswerForm({ questionId, onDone }: { questionId: number; onDone: () => void }) {
  const [content, setContent] = useState('');
  const { form, busy, errors, submit } = useMutation(answerQuestion, {
    fields: ['content'],
    check: ({ content: text }) => ({ content: text.trim() === '' ? '请填写回答' : undefined }),
    failed: (failure) => {
      if (isError(failure, codes.QUESTION_ANSWERED)) onDone();
    },
    done: () => {
      toast('已回答，提问的人会收到通知', 'ok');
      onDone();
    },
  });
  return (
    <form ref={form} className="mt-2 grid gap-2" noValidate onSubmit={submit(() => ({ questionId, content }))}>
      <Field label="回答" required error={errors.content} help="会公开显示，只能回答一次；请不要写联系方式。">
        {(control) => (
          <>
            <Textarea
              {...control}
              rows={2}
              maxLength={QUESTION_ANSWER_MAX}
              value={content}
              onChange={(event) => setContent(event.target.value)}
            />
            <ContactHint text={content} />
          </>
        )}
      </Field>
      <div className="flex items-center justify-end gap-3">
        <FormError>{errors.send}</FormError>
        <Button type="submit" size="sm" kind="tonal" busy={busy}>
          回答
        </Button>
      </div>
    </form>
  );
}
