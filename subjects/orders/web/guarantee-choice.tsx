import { ShieldCheck } from 'lucide-react';
import { feeOf } from '#contract/rules/fee.ts';
import { fenOf, yuanOf } from '#web/lib/format/format.ts';
import { GuaranteeWhy } from './parts/money/guarantee-why.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Amount } from '#web/ui/price.tsx';
import type { ConfirmData } from './confirm-loader.ts';
import { chosenOf, doubled, type GuaranteeIds, idsWith } from './guarantee-rules.ts';

type Ensure = ConfirmData['ensures'][number];

/** The price of the guarantee for a listing of that price, by the server's rule. */
function costOf(ensure: Ensure, goodsFen: number): string {
  return yuanOf(feeOf(goodsFen, ensure.rateBp, { minFen: fenOf(ensure.minimum) }));
}

/** Shows the cover of a selected guarantee, and each exclusion as a separate sentence. */
function Terms({ ensure }: { ensure: Ensure }) {
  return (
    <div className="mt-2.5 grid gap-1 text-12 text-ink-2">
      <p className="flex gap-1.5">
        <ShieldCheck className="icon mt-px text-safe" aria-hidden="true" />
        {ensure.coverText}。
      </p>
      <ul className="grid list-disc gap-0.5 pl-9" aria-label={`${ensure.name}赔多少`}>
        {ensure.pays.map(({ name, text }) => (
          <li key={name}>
            {name}：{text}。
          </li>
        ))}
      </ul>
      <ul className="grid list-disc gap-0.5 pl-9 text-ink-3" aria-label={`${ensure.name}不赔的情形`}>
        {ensure.exclusions.map((sentence) => (
          <li key={sentence}>不赔：{sentence}。</li>
        ))}
      </ul>
    </div>
  );
}

/** The guarantees that a buyer may add. None is selected by default; a choice on the listing's page is kept. */
export function GuaranteeChoice({
  ensures,
  goodsFen,
  ids,
  onChange,
}: {
  ensures: readonly Ensure[];
  goodsFen: number;
  ids: GuaranteeIds;
  onChange: (ids: GuaranteeIds) => void;
}) {
  const chosen = chosenOf(ensures, ids);
  const twice = doubled(chosen);
  return (
    <section id="guarantees" className="scroll-mt-16 border-t border-line-soft px-4 py-3.5" aria-label="包赔">
      <h2 className="mb-2 text-13 font-medium">
        包赔<span className="ml-2 font-normal text-ink-3">可选，默认不购买</span>
      </h2>
      <div className="guarantees" role="group" aria-label="包赔">
        <button
          type="button"
          className={cx('guarantee', chosen.length === 0 && 'guarantee-none')}
          aria-pressed={chosen.length === 0}
          onClick={() => onChange({ ensureId: 0, fixEnsureId: 0 })}
        >
          <b>不选</b>
          <span>自担找回风险</span>
        </button>
        {ensures.map((ensure) => (
          <button
            key={ensure.id}
            type="button"
            className={cx('guarantee', chosen.includes(ensure) && 'guarantee-on')}
            aria-pressed={chosen.includes(ensure)}
            onClick={() => onChange(idsWith(ids, ensure))}
          >
            <b>{ensure.name}</b>
            <span>
              {ensure.rateText}
              {ensure.baseText !== ensure.rateText && (
                <span className="ml-1 text-ink-3" title={ensure.reasons[0]}>
                  按本单风险，基准 {ensure.baseText}
                </span>
              )}
            </span>
            <Amount yuan={costOf(ensure, goodsFen)} />
          </button>
        ))}
      </div>
      <div aria-live="polite">
        {chosen.map((ensure) => (
          <Terms key={ensure.id} ensure={ensure} />
        ))}
        {twice && (
          <p className="mt-2 text-12 text-attn">
            {twice.wider}已含{twice.narrower}，可以只买{twice.wider}。
          </p>
        )}
      </div>
      <GuaranteeWhy list={ensures} />
    </section>
  );
}
