import { Link, type LoaderFunctionArgs, useLoaderData, useRevalidator } from 'react-router';
import { type ReceivedQuestion, receivedQuestions, receivedStatuses } from '#subjects/questions/contract/question.ts';
import { call } from '#web/lib/api/api.ts';
import { market } from '#web/lib/pages/context.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { useCursorList } from '#web/lib/lists/use-cursor-list.ts';
import { AnswerForm } from '../web/parts/question/answer-form.tsx';
import { MergeButton } from '../web/parts/question/merge-button.tsx';
import { QuestionText } from '../web/parts/question/question-text.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { LinkTabs } from '#web/ui/lists/link-tabs.tsx';
import { ListEnd } from '#web/ui/lists/list-end.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';

export const handle = { phone: { refresh: true } };

export function meta(args: Parameters<typeof pageMeta>[0]) {
  return pageMeta(args, { title: '收到的提问', noindex: true });
}

const NAMES = { waiting: '待回答', answered: '已回答' } as const;

export async function loader(args: LoaderFunctionArgs) {
  const statusParam = args.url.searchParams.get('status');
  const status = receivedStatuses.find((one) => one === statusParam) ?? 'waiting';
  return { status, first: await market(args).call(receivedQuestions, { status }) };
}

function Row({ question, onChange }: { question: ReceivedQuestion; onChange: () => void }) {
  const { goodsSn, bigTitle, pageUrl, statusName, questionId, answer, canMerge, hiddenReason } = question;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 border-b border-line-soft px-4 py-3.5 last:border-b-0">
      <p className="flex flex-wrap items-center gap-2 text-12 text-ink-3">
        <Link to={pageUrl} className="link min-w-0 truncate" title={bigTitle}>
          {bigTitle}
        </Link>
        {goodsSn}
        <Tag>{statusName}</Tag>
      </p>
      <QuestionText
        question={question}
        waiting="等您回答"
        onAnswer={canMerge && <MergeButton questionId={questionId} onDone={onChange} />}
      />
      {hiddenReason !== null && <p className="text-12 text-attn">已被平台隐藏：{hiddenReason}</p>}
      {!answer && hiddenReason === null && <AnswerForm questionId={questionId} onDone={onChange} />}
    </li>
  );
}

/** Questions about the seller's listings, waiting ones first. */
export default function ReceivedQuestionsPage() {
  const { status, first } = useLoaderData<typeof loader>();
  const { revalidate } = useRevalidator();
  const { items, next, busy, error, more } = useCursorList(
    first,
    (cursor) => call(receivedQuestions, { status, cursor }, { quiet: true }),
    ({ questionId }) => questionId,
  );
  return (
    <section className="panel" aria-labelledby="questions">
      <div className="panel-head">
        <h1 id="questions" className="text-16 font-semibold">
          收到的提问
        </h1>
        <p>回答会公开显示在商品页，能帮您少答几遍</p>
      </div>
      <LinkTabs
        label="状态"
        items={receivedStatuses.map((key) => ({
          key,
          label: NAMES[key],
          to: `?status=${key}`,
          isCurrent: status === key,
          count: first.counts[key],
        }))}
      />
      {items.length === 0 ? (
        <EmptyState
          title={status === 'waiting' ? '没有待回答的提问' : '还没有回答过提问'}
          action={<ButtonLink to="/center/sellOutGoods">查看我的商品</ButtonLink>}
        >
          有人问您的商品时会通知您。
        </EmptyState>
      ) : (
        <>
          <ul>
            {items.map((question) => (
              <Row key={question.questionId} question={question} onChange={() => void revalidate()} />
            ))}
          </ul>
          <ListEnd next={next} busy={busy} error={error} onMore={more} />
        </>
      )}
    </section>
  );
}
