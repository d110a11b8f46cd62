import { Info, UserRound } from 'lucide-react';
import { accountTypes } from '#contract/rules/catalogue.ts';
import { sellerNoun } from '#subjects/orders/rules/order-types.ts';
import { fullTime } from '#contract/rules/time/time-label.ts';
import { durationText, grouped } from '#web/lib/format/format.ts';
import { cx } from '#web/ui/class-names.ts';
import { Stepper } from '#web/ui/forms/stepper.tsx';
import type { DetailData, DetailMore } from './loader.ts';

type Goods = DetailData['goods'] & DetailMore['goods'];

const DAY_MINUTES = 24 * 60;

const ACTORS = { buyer: '您', staff: '客服' } as const;

const isAccount = (goods: Goods): boolean => accountTypes.includes(goods.goodsTypeId);

/** A section of the page that the anchors link to. */
interface Section {
  id: string;
  label: string;
  count?: number;
}

/** The other sections below these, for the anchors. */
interface Counts {
  questions: number;
  /** Null when they could not be loaded. */
  reviews: number | null;
}

/** Sections that have content for this listing. */
function sectionsOf(goods: Goods, { questions, reviews }: Counts): Section[] {
  return [
    { id: 'inspection', label: goods.inspection.length > 0 ? '验号记录' : isAccount(goods) ? '账号信息' : '商品信息' },
    ...(goods.history.length > 0 ? [{ id: 'passport', label: '账号履历' }] : []),
    { id: 'description', label: '商品描述' },
    ...(goods.handover.length > 0 ? [{ id: 'handover', label: '交付步骤' }] : []),
    { id: 'questions', label: '问答', count: questions },
    ...(reviews === null ? [] : [{ id: 'reviews', label: '评价', count: reviews }]),
  ];
}

/** Attributes verified by staff or from the game's own page, each with source and time; then those stated by the seller. */
export function Inspection({ goods, counts }: { goods: Goods; counts: Counts }) {
  const sections = sectionsOf(goods, counts);
  const read = new Set(goods.inspection.map(({ label }) => label));
  const stated = goods.attrs.filter(({ label }) => !read.has(label));
  return (
    <>
      <nav className="tabs" aria-label="商品信息">
        {sections.map(({ id, label, count = 0 }, index) => (
          <a key={id} href={`#${id}`} className="tab" aria-current={index === 0 || undefined}>
            {label}
            {count > 0 && <i className="ml-1 text-12 font-normal not-italic text-ink-3">{grouped(count)}</i>}
          </a>
        ))}
      </nav>
      {goods.inspection.length > 0 && (
        <>
          <dl className="facts">
            {goods.inspection.map(({ label, value, said, reader, readTime }) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>
                  {value}
                  {said && <span className="ml-2 text-12 font-normal text-attn">卖家填 {said}</span>}
                </dd>
                <dd className="fact-source" title={fullTime(Date.parse(readTime))}>
                  {reader} <time dateTime={readTime}>{fullTime(Date.parse(readTime)).slice(5)}</time>
                </dd>
              </div>
            ))}
          </dl>
          <p className="flex items-center gap-2 border-t border-line-soft bg-sunken px-4 py-2.5 text-12 text-ink-3">
            <Info className="icon size-3.5" aria-hidden="true" />
            收到的账号与验号结果不符，可凭此表申诉
          </p>
        </>
      )}
      {stated.length > 0 && (
        <>
          <h2 className="px-4 pt-3 pb-1 text-12 text-ink-3">
            {goods.inspection.length > 0
              ? '卖家填写，未经验号'
              : isAccount(goods)
                ? '卖家填写，未经平台验号'
                : '卖家填写'}
          </h2>
          <dl className="facts">
            {stated.map(({ key, label, value }) => (
              <div key={key}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      {goods.inspection.length === 0 && stated.length === 0 && (
        <p className="p-4 text-13 text-ink-3">卖家没有填写更多信息。</p>
      )}
    </>
  );
}

/** The history of the same game account on this site. */
function Passport({ goods }: { goods: Goods }) {
  if (goods.history.length === 0) return null;
  return (
    <section className="panel" id="passport">
      <div className="panel-head">
        <h2>账号履历</h2>
        <p>同一账号在本站的全部记录，按加密指纹归并</p>
      </div>
      <ol className="passport">
        {goods.history.map(({ kind, text, time }) => (
          <li key={`${kind}${time}`} className={cx(kind === 'sold' && 'passport-sold')}>
            <b>{text}</b>
            <time dateTime={time}>{fullTime(Date.parse(time)).slice(0, 10)}</time>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The seller's description, labelled as such. */
function Description({ goods }: { goods: Goods }) {
  return (
    <section className="panel" id="description">
      <div className="panel-head">
        <h2>商品描述</h2>
      </div>
      <div className="p-4 leading-6 text-ink-2">
        <p className="mb-2 inline-flex h-6 items-center gap-1.5 rounded-[4px] bg-attn-bg px-2 text-12 text-attn">
          <UserRound className="icon size-3.5" aria-hidden="true" />
          以下为卖家自述，平台未核实
        </p>
        <p className="whitespace-pre-line">{goods.description || '卖家没有写描述，以验号记录和图片为准。'}</p>
        {goods.source && <p className="mt-2 text-13 text-ink-3">账号来源：{goods.source}</p>}
      </div>
    </section>
  );
}

/** The hand-over of the account: each step with its actor and duration. */
function Handover({ goods, isService }: { goods: Goods; isService: boolean }) {
  const { handover } = goods;
  if (handover.length === 0) return null;
  // A step of a day or more is inspection time, not work.
  const minutes = handover.filter((step) => step.minutes < DAY_MINUTES).reduce((sum, step) => sum + step.minutes, 0);
  // The same steps with the same numbers as in the order; the payment comes before them.
  const steps = handover.map((step) => ({
    title: step.title,
    state: 'plan' as const,
    note: (
      <>
        {step.actor === 'seller' ? sellerNoun(goods.goodsTypeId) : ACTORS[step.actor]}操作，{durationText(step.minutes)}
        内{!step.required && '，可选'}
        <span className="block text-ink-3">{step.explain}</span>
      </>
    ),
  }));
  return (
    <section className="panel" id="handover">
      <div className="panel-head">
        <h2>交付步骤</h2>
        <p>
          {goods.gameName}
          {isAccount(goods) ? '换绑流程' : isService ? '服务流程' : '交付流程'}，付款到托管后共 {steps.length} 步
        </p>
        {!isService && <span className="more">约 {durationText(minutes)}</span>}
      </div>
      <div className={cx('handover p-4', steps.length % 4 === 1 && 'handover-5')}>
        <Stepper steps={steps} label="交付步骤" />
      </div>
      {goods.ruledOut.length > 0 && (
        <ul className="border-t border-line-soft px-4 py-2.5 text-12 text-ink-3" aria-label="本号不做的步骤">
          {goods.ruledOut.map(({ key, title, reason }) => (
            <li key={key} className="flex items-center gap-2 py-0.5">
              <span
                className="grid size-4 flex-none place-items-center rounded-full border border-dashed border-line-strong"
                aria-hidden="true"
              >
                –
              </span>
              {title}：{reason}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The sections of the listing below its inspection. */
export function Sections({ goods, isService }: { goods: Goods; isService: boolean }) {
  return (
    <>
      <Passport goods={goods} />
      <Description goods={goods} />
      <Handover goods={goods} isService={isService} />
    </>
  );
}
