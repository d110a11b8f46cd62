import { useState } from 'react';
import { useLocation, useNavigate, useRevalidator } from 'react-router';
import { askSeller, goodsQuestions, type PublicQuestion } from '#contract/question.ts';
import { isService } from '#contract/rules/order-types.ts';
import { QUESTION_TEXT_MAX, usualQuestions } from '#contract/rules/question.ts';
import { call } from '#web/lib/api.ts';
import { cookie } from '#web/lib/cookies.ts';
import { durationText, grouped } from '#web/lib/format.ts';
import { useHydrated } from '#web/lib/hydration.ts';
import { useCursorList } from '#web/lib/use-cursor-list.ts';
import { useMutation } from '#web/lib/use-mutation.ts';
import { ContactHint } from '#web/parts/contact-hint.tsx';
import { AnswerForm } from '#web/parts/question/answer-form.tsx';
import { GoodsReportButton } from '#web/parts/question/goods-report-button.tsx';
import { MergeButton } from '#web/parts/question/merge-button.tsx';
import { QuestionText } from '#web/parts/question/question-text.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormError, useMessage } from '#web/ui/field.tsx';
import { Textarea } from '#web/ui/input.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { toast } from '#web/ui/toast-store.ts';
import type { DetailData } from './loader.ts';

const ON_SALE = 2;

/** Questions of the list that share two signs in a row with what is being typed. */
function similarTo(typed: string, items: readonly PublicQuestion[]): PublicQuestion[] {
  const text = typed.replace(/[\s？?。，,！!吗呢]/g, '');
  const pairs = Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2));
  return items.filter(({ answer, content }) => answer && pairs.some((pair) => content.includes(pair))).slice(0, 2);
}

function AskForm({
  goods,
  items,
  onAsked,
}: {
  goods: DetailData['goods'];
  items: readonly PublicQuestion[];
  onAsked: () => void;
}) {
  const [content, setContent] = useState('');
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const { form, busy, errors, send } = useMutation(askSeller, {
    fields: ['content'],
    check: ({ content: text }) => ({ content: text.trim().length < 4 ? '请把问题写清楚，至少 4 个字' : undefined }),
    done: () => {
      toast('已发给卖家，回答后通知您', 'ok');
      setContent('');
      onAsked();
    },
  });
  const [message, onEdit] = useMessage(errors.content);
  const ask = () => {
    if (cookie('token')) void send({ goodsSn: goods.goodsSn, content });
    else void navigate(`/login?returnUrl=${encodeURIComponent(`${pathname}${search}#questions`)}`);
  };
  const similar = similarTo(content, items);
  const usual = items.length === 0 ? usualQuestions(goods.goodsTypeId) : [];
  return (
    <form
      ref={form}
      noValidate
      className="grid gap-2 border-b border-line-soft bg-sunken p-4"
      onSubmit={(event) => {
        event.preventDefault();
        ask();
      }}
    >
      <Textarea
        name="content"
        aria-label="问题"
        aria-invalid={message ? true : undefined}
        rows={2}
        maxLength={QUESTION_TEXT_MAX}
        placeholder={
          isService(goods.goodsTypeId) ? '时间、段位、打法……想知道什么就问' : '换绑、皮肤、违规记录……想知道什么就问卖家'
        }
        value={content}
        onChange={(event) => {
          setContent(event.target.value);
          onEdit();
        }}
      />
      <FormError>{message}</FormError>
      <ContactHint text={content} />
      {usual.length > 0 && (
        <p className="flex flex-wrap gap-1.5">
          {usual.map((text) => (
            <Button key={text} size="sm" onClick={() => setContent(text)}>
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
      <FormError>{errors.send}</FormError>
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-12 text-ink-3">公开显示，名字会遮挡；请不要留联系方式。</p>
        <span className="text-12 text-ink-3">
          {content.length} / {QUESTION_TEXT_MAX}
        </span>
        <Button type="submit" kind="primary" busy={busy}>
          问卖家
        </Button>
      </div>
    </form>
  );
}

function Item({
  question,
  goods,
  onChange,
}: {
  question: PublicQuestion;
  goods: DetailData['goods'];
  onChange: () => void;
}) {
  const { questionId, answer, isMine } = question;
  const { goodsSn, isMine: isSeller } = goods;
  return (
    <li id={`question-${questionId}`} className="scroll-mt-20 border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <QuestionText
        question={question}
        waiting={isSeller ? '等您回答' : '已发给卖家，回答后通知您；公开前只有您和卖家能看到'}
        onQuestion={!isMine && <GoodsReportButton goodsSn={goodsSn} part="question" questionId={questionId} />}
        onAnswer={
          answer &&
          (isSeller ? (
            !answer.merged && <MergeButton questionId={questionId} onDone={onChange} />
          ) : (
            <GoodsReportButton goodsSn={goodsSn} part="answer" questionId={questionId} />
          ))
        }
      />
      {isSeller && !answer && <AnswerForm questionId={questionId} onDone={onChange} />}
    </li>
  );
}

/** Public questions under the listing: asking, reading, the seller's answers, reports. */
export default function Questions({
  questions,
  goods,
}: {
  questions: NonNullable<DetailData['questions']>;
  goods: DetailData['goods'];
}) {
  const { revalidate } = useRevalidator();
  const { goodsSn } = goods;
  const { items, next, busy, error, more } = useCursorList(
    questions,
    (cursor) => call(goodsQuestions, { goodsSn, cursor }, { quiet: true }),
    ({ questionId }) => questionId,
  );
  const { answered, answerMinutes } = questions;
  const refresh = () => void revalidate();
  // The script of this part loads after the page's: until then nothing can be typed that would be lost.
  const isHydrated = useHydrated();
  return (
    <section className="panel scroll-mt-16" id="questions" aria-label="公开问答">
      <div className="panel-head">
        <h2>公开问答</h2>
        <p>
          {[
            answered > 0 && `${grouped(answered)} 条`,
            answerMinutes !== null && `卖家一般 ${durationText(answerMinutes)}内回答`,
          ]
            .filter(Boolean)
            .join('，')}
        </p>
        {!goods.isMine && (
          <span className="more">
            <GoodsReportButton goodsSn={goodsSn} part="goods" />
          </span>
        )}
      </div>
      <fieldset disabled={!isHydrated} className="contents">
        {!goods.isMine && goods.status === ON_SALE && <AskForm goods={goods} items={items} onAsked={refresh} />}
        {items.length === 0 ? (
          <p className="px-4 py-6 text-center text-13 text-ink-3">
            {goods.isMine ? '还没有人提问，有了会通知您。' : '还没有人提问。'}
          </p>
        ) : (
          <>
            <ul>
              {items.map((question) => (
                <Item key={question.questionId} question={question} goods={goods} onChange={refresh} />
              ))}
            </ul>
            {next && <ListEnd next={next} busy={busy} error={error} onMore={more} />}
          </>
        )}
      </fieldset>
    </section>
  );
}
