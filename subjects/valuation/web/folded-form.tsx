import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { accountSummary } from './account-text.ts';
import { AccountForm } from './form.tsx';
import type { Live } from './use-live.ts';
import type { ValuationData } from './valuation-loader.ts';

/** The form of a valuation with a price. On a phone the input is collapsed to one line, so that the price stays close to it. */
export function FoldedForm({ data, live }: { data: ValuationData; live: Live }) {
  const summary = accountSummary(data.fields, live.details);
  const [isFolded, setFolded] = useState(summary !== '');
  const fold = () => {
    setFolded(true);
    window.scrollTo({ top: 0 });
  };
  return (
    <div className="val-fold">
      {isFolded && (
        <p className="panel flex items-center gap-2 px-4 py-3 text-13 md:hidden">
          <Pencil className="icon size-3.5 flex-none text-ink-3" aria-hidden="true" />
          <span className="min-w-0 flex-1 truncate">{summary}</span>
          <button type="button" className="link hit flex-none" aria-expanded={false} onClick={() => setFolded(false)}>
            改一改
          </button>
        </p>
      )}
      <div className={cx('contents', isFolded && 'max-md:hidden')}>
        <AccountForm data={data} live={live} />
      </div>
      {!isFolded && summary !== '' && (
        <Button className="md:hidden" onClick={fold}>
          填好了，看估价
        </Button>
      )}
    </div>
  );
}
