import type { GameChange } from '../../rules/game-diff.ts';
import { gamePartNames, gameParts } from '../../rules/game-diff.ts';
import { cx } from '#web/ui/class-names.ts';

const MARKS = { add: '增', change: '改', off: '停' } as const;
const TONES = { add: 'text-brand-700', change: 'text-attn', off: 'text-danger' } as const;

/** Differences between two versions of a game, by part. */
export function ChangeList({ changes }: { changes: readonly GameChange[] }) {
  if (changes.length === 0) return <p className="text-13 text-ink-3">没有不同</p>;
  return (
    <dl className="grid gap-2 text-13">
      {gameParts.map((part) => {
        const own = changes.filter((change) => change.part === part);
        if (own.length === 0) return null;
        return (
          <div key={part}>
            <dt className="text-12 text-ink-3">{gamePartNames[part]}</dt>
            {own.map(({ kind, text }, index) => (
              <dd key={index} className="flex gap-2 leading-[1.375rem]">
                <b className={cx('flex-none font-semibold', TONES[kind])}>{MARKS[kind]}</b>
                <span className="min-w-0 break-words">{text}</span>
              </dd>
            ))}
          </div>
        );
      })}
    </dl>
  );
}
