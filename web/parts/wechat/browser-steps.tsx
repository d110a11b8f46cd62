import { Ellipsis } from 'lucide-react';

/** How to open this page in the phone's own browser, from an app's browser: its menu first, then the given steps. */
export function BrowserSteps({ steps }: { steps: readonly string[] }) {
  return (
    <ol className="grid gap-3 rounded-control bg-sunken px-4 py-3 text-13">
      <li className="flex items-center gap-2">
        <b className="font-semibold">1</b>
        <span>
          点右上角的
          <Ellipsis className="icon mx-1 inline align-[-3px]" aria-label="更多" />
        </span>
      </li>
      {steps.map((step, i) => (
        <li key={step} className="flex gap-2">
          <b className="font-semibold">{i + 2}</b>
          <span>{step}</span>
        </li>
      ))}
    </ol>
  );
}
