import type { SettingExample } from '#subjects/settings/contract/staff-settings.ts';
import { Tag } from '#web/ui/tag.tsx';

/** The effect of a change on three example orders; unchanged lines can be expanded. */
export function ExampleTable({ examples }: { examples: readonly SettingExample[] }) {
  const changed = examples.reduce((sum, { lines }) => sum + lines.filter((line) => line.changed).length, 0);
  return (
    <section className="grid gap-3" aria-label="对示例订单的影响">
      <p className="text-13 text-ink-2" role="status">
        {changed === 0 ? '三笔示例订单都不变。' : `三笔示例订单中有 ${changed} 项变化，按真实的计价与放款规则计算。`}
      </p>
      {examples.map(({ title, detail, lines }) => (
        <div key={title} className="rounded-card border border-line-soft">
          <p className="flex flex-wrap items-baseline gap-2 border-b border-line-soft px-3 py-2 text-13">
            <b className="font-semibold">{title}</b>
            <span className="text-12 text-ink-3">{detail}</span>
          </p>
          <Lines lines={lines.filter((line) => line.changed)} />
          <details className="px-3 py-1.5 text-12">
            <summary className="cursor-pointer text-ink-3">
              不变的 {lines.filter((line) => !line.changed).length} 项
            </summary>
            <Lines lines={lines.filter((line) => !line.changed)} />
          </details>
        </div>
      ))}
    </section>
  );
}

function Lines({ lines }: { lines: SettingExample['lines'] }) {
  if (lines.length === 0) return null;
  return (
    <dl className="grid gap-1 px-3 py-2 text-13">
      {lines.map(({ label, before, after, changed }) => (
        <div key={label} className="flex flex-wrap items-baseline justify-between gap-x-3">
          <dt className="text-ink-3">{label}</dt>
          <dd className="num">
            {changed ? (
              <>
                <s className="text-ink-3">{before}</s> <Tag tone="attn">{after}</Tag>
              </>
            ) : (
              after
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
