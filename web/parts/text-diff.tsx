import { diffText } from '#contract/rules/texts/text-diff.ts';

/** The changes between two texts: removed text is struck through, new text is marked. */
export function TextDiff({ before, after }: { before: string; after: string }) {
  const parts = diffText(before, after);
  if (parts.every(({ kind }) => kind === 'same')) return <p className="text-13 text-ink-3">文字没有变化</p>;
  return (
    <p className="text-13 leading-6 break-words whitespace-pre-wrap text-ink-2">
      {parts.map(({ kind, text }, n) => {
        const key = `${n}${kind}`;
        if (kind === 'gone')
          return (
            <del key={key} className="bg-danger-bg text-ink-3">
              {text}
            </del>
          );
        if (kind === 'new')
          return (
            <ins key={key} className="bg-safe-bg text-ink no-underline">
              {text}
            </ins>
          );
        return <span key={key}>{text}</span>;
      })}
    </p>
  );
}
