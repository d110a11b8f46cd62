import { GoodsStatus } from '#contract/rules/statuses.ts';
import { useRevalidator } from 'react-router';
import { goodsQuestions, type PublicQuestion } from '#subjects/questions/contract/question.ts';
import { call } from '#web/lib/api/api.ts';
import { durationText, grouped } from '#web/lib/format/format.ts';
import { useHydrated } from '#web/lib/loading/use-hydrated.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { AnswerForm } from '#subjects/questions/web/parts/question/answer-form.tsx';
import { GoodsReportButton } from '#subjects/questions/web/parts/question/goods-report-button.tsx';
import { MergeButton } from '#subjects/questions/web/parts/question/merge-button.tsx';
import { QuestionText } from '#subjects/questions/web/parts/question/question-text.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { AskForm } from './ask-form.tsx';
import type { DetailData } from '../loader.ts';

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
        waiting={isSeller ? '等您回答' : '已发给卖家，回答后通知您；现在只有您和卖家能看到'}
        onQuestion={!isMine && <GoodsReportButton goodsSn={goodsSn} part="question" questionId={questionId} />}
        onAnswer={
          answer &&
          (isSeller ? (
            !answer.merged && !question.isPrivate && <MergeButton questionId={questionId} onDone={onChange} />
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
        <h2>问答</h2>
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
        {!goods.isMine && goods.status === GoodsStatus.OnSale && (
          <AskForm className="border-b border-line-soft bg-sunken p-4" goods={goods} items={items} onAsked={refresh} />
        )}
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
