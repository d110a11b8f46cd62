import { Clock, Eye } from 'lucide-react';
import { useState } from 'react';
import { Link, type LoaderFunctionArgs, type MetaFunction, useLoaderData, useRevalidator } from 'react-router';
import type { Data } from '#contract/endpoint.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { appealBlack, blackInfo } from '#subjects/verification/contract/verification.ts';
import { market } from '#web/lib/pages/context.ts';
import { grouped } from '#web/lib/format/format.ts';
import { pageMeta } from '#web/lib/pages/site.ts';
import { typed } from '#web/lib/forms/form-errors.ts';
import { SubmitButton } from '#subjects/accounts/web/parts/account/form-parts.tsx';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { type Evidence, EvidenceBox } from '#subjects/orders/web/parts/order/evidence-box.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Textarea } from '#web/ui/forms/input.tsx';
import { Amount } from '#web/ui/price.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

type BlackRecord = Data<typeof blackInfo>;

export const meta: MetaFunction<typeof loader> = (args) =>
  pageMeta(args, { title: args.loaderData?.record.title ?? '黑号记录', noindex: true });

export async function loader(args: LoaderFunctionArgs) {
  const { call: request, user } = market(args);
  const record = await request(blackInfo, { blackSn: args.params.sn ?? '' });
  return { record, signedIn: user !== null };
}

const on = (time: string): string => fullTime(Date.parse(time)).slice(0, 10);

/** The entry's details, one per line. */
function Details({ record }: { record: BlackRecord }) {
  return (
    <dl className="facts border-b border-line-soft">
      <div>
        <dt>原因</dt>
        <dd>{record.reasonName}</dd>
      </div>
      {record.gameName && (
        <div>
          <dt>游戏</dt>
          <dd>{record.gameName}</dd>
        </div>
      )}
      {record.amount && (
        <div>
          <dt>涉及金额</dt>
          <dd>
            <Amount yuan={record.amount} />
          </dd>
        </div>
      )}
      {record.accounts.map(({ kind, kindName, mask }) => (
        <div key={`${kind}${mask}`}>
          <dt>{kindName}</dt>
          <dd>{mask}</dd>
        </div>
      ))}
      {record.listTime && (
        <div>
          <dt>公示日期</dt>
          <dd>{on(record.listTime)}</dd>
        </div>
      )}
      {record.expireTime && (
        <div>
          <dt>到期移出</dt>
          <dd>{on(record.expireTime)}</dd>
        </div>
      )}
    </dl>
  );
}

function Pictures({ pictures }: { pictures: BlackRecord['pictures'] }) {
  if (pictures.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-4 pb-4" aria-label="凭证">
      {pictures.map(({ url, thumb }, index) => (
        <li key={url}>
          <a href={url} target="_blank" rel="noreferrer">
            <img
              src={thumb}
              width={120}
              height={86}
              alt={`凭证 ${index + 1}`}
              loading="lazy"
              className="h-21 w-30 rounded-tag border border-line object-cover"
            />
          </a>
        </li>
      ))}
    </ul>
  );
}

function AppealForm({ blackSn, onSent }: { blackSn: string; onSent: () => void }) {
  const [pictures, setPictures] = useState<readonly Evidence[]>([]);
  const { form, errors, busy, submit } = useMutation(appealBlack, {
    fields: ['content'],
    check: ({ content }) => ({ content: content.length < 10 ? '请说明理由，至少 10 个字' : undefined }),
    done: () => {
      toast('申诉已提交', 'ok');
      onSent();
    },
  });
  const read = (element: HTMLFormElement) => ({
    blackSn,
    content: typed(element, 'content').trim(),
    pictures: pictures.map((picture) => picture.key),
  });
  return (
    <form ref={form} method="post" noValidate className="grid gap-4 p-4" onSubmit={submit(read)}>
      <Field label="申诉理由" required error={errors.content} help="由另一位审核员处理，3 天内答复">
        {(control) => <Textarea {...control} name="content" rows={4} maxLength={2000} />}
      </Field>
      <EvidenceBox
        pictures={pictures}
        max={9}
        onChange={setPictures}
        help="能证明的截图，PNG 或 JPEG，每张不超过 10M；只有审核员可见。"
      />
      <FormError>{errors.send}</FormError>
      <SubmitButton busy={busy}>提交申诉</SubmitButton>
    </form>
  );
}

const APPEALS = { reviewing: '申诉处理中', granted: '申诉成立', refused: '申诉不成立' } as const;

function Appeal({ record, signedIn }: { record: BlackRecord; signedIn: boolean }) {
  const { revalidate } = useRevalidator();
  const { appeal, canAppeal, blackSn } = record;
  if (record.isMine) return null;
  return (
    <section className="panel mt-4" aria-labelledby="appeal">
      <div className="panel-head">
        <h2 id="appeal">申诉</h2>
        <p>这是您的账号、内容不属实？</p>
      </div>
      {appeal && (
        <div className="grid gap-1 border-b border-line-soft px-4 py-3 text-13 last:border-b-0">
          <p className="font-semibold">{APPEALS[appeal.status]}</p>
          <p className="text-ink-2">{appeal.answer ?? `最晚 ${fullTime(Date.parse(appeal.answerByTime))} 答复`}</p>
        </div>
      )}
      {canAppeal && <AppealForm blackSn={blackSn} onSent={() => void revalidate()} />}
      {!signedIn && (
        <p className="px-4 py-4 text-13 text-ink-2">
          <Link to={`/login?returnUrl=${encodeURIComponent(`/black/${blackSn}`)}`} className="link">
            登录
          </Link>
          后可以申诉，由另一位审核员处理。
        </p>
      )}
    </section>
  );
}

/** One blacklist entry: the published content, its history, and the appeal form. */
export default function RecordPage() {
  const { record, signedIn } = useLoaderData<typeof loader>();
  return (
    <div className="mt-4 grid items-start gap-4 md:grid-cols-[1fr_320px]">
      <div className="min-w-0">
        <article className="panel" aria-labelledby="record">
          <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-3">
            <Tag tone={record.status === 'listed' ? 'danger' : 'attn'}>{record.statusName}</Tag>
            <h1 id="record" className="text-16 font-semibold">
              {record.title}
            </h1>
            <span className="ml-auto flex items-center gap-1 text-12 text-ink-3">
              <Eye className="icon size-3.5" aria-hidden="true" />
              {grouped(record.views)}
            </span>
          </div>
          <Details record={record} />
          <p className="px-4 py-4 leading-loose whitespace-pre-wrap">{record.content}</p>
          <Pictures pictures={record.pictures} />
          {record.reviewNote && (
            <p className="border-t border-line-soft px-4 py-3 text-13 text-attn">审核说明：{record.reviewNote}</p>
          )}
          {record.isMine && record.status === 'reviewing' && (
            <p className="border-t border-line-soft bg-sunken px-4 py-2.5 text-12 text-ink-3 last:rounded-b-card">
              审核通过前只有您和审核员能看到这条举报
            </p>
          )}
        </article>
        <Appeal record={record} signedIn={signedIn} />
      </div>
      <aside className="panel" aria-labelledby="process">
        <div className="panel-head">
          <h2 id="process">经过</h2>
        </div>
        <ol className="grid gap-3 p-4 text-13">
          {record.process.map(({ text, time }) => (
            <li key={`${text}${time}`} className="flex gap-2">
              <Clock className="icon mt-0.5 text-ink-3" aria-hidden="true" />
              <span>
                {text}
                <time dateTime={time} className="block text-12 text-ink-3">
                  {fullTime(Date.parse(time))}
                </time>
              </span>
            </li>
          ))}
        </ol>
      </aside>
    </div>
  );
}
