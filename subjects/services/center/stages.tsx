import { Plus, X } from 'lucide-react';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { FieldGroup } from '#web/ui/forms/field-group.tsx';
import { Input } from '#web/ui/forms/input.tsx';

/** A stage as entered; `id` identifies it while the form is open. */
export interface Stage {
  id: number;
  title: string;
  percent: string;
}

/** The stages of a package; each is confirmed and paid separately. */
export function Stages({
  stages,
  error,
  onChange,
}: {
  stages: readonly Stage[];
  error: Message | undefined;
  onChange: (stages: readonly Stage[]) => void;
}) {
  const change = (id: number, values: Partial<Stage>) =>
    onChange(stages.map((stage) => (stage.id === id ? { ...stage, ...values } : stage)));
  return (
    <FieldGroup
      legend={
        <>
          分段付款<span className="ml-1 font-normal text-ink-3">选填</span>
        </>
      }
      error={error}
      help="每段由买家确认后，这一段的款项立即到您的余额；不分段则全部完成后结算。"
    >
      {(isInvalid, onEdit) => (
        <>
          <ol className="grid gap-2">
            {stages.map((stage, index) => (
              <li key={stage.id} className="flex items-center gap-2">
                <span className="w-5 text-12 text-ink-3">{index + 1}</span>
                <Input
                  aria-label={`第 ${index + 1} 段目标`}
                  aria-invalid={isInvalid}
                  value={stage.title}
                  maxLength={40}
                  placeholder="如 到星耀五星"
                  className="min-w-0 flex-1"
                  onChange={(event) => change(stage.id, { title: event.target.value })}
                />
                <Input
                  aria-label={`第 ${index + 1} 段占比`}
                  aria-invalid={isInvalid}
                  value={stage.percent}
                  inputMode="decimal"
                  className="w-18! text-right"
                  onChange={(event) => change(stage.id, { percent: event.target.value })}
                />
                <span className="text-13 text-ink-3">%</span>
                <Button
                  kind="ghost"
                  icon
                  size="sm"
                  aria-label={`删除第 ${index + 1} 段`}
                  onClick={() => {
                    onEdit();
                    onChange(stages.filter(({ id }) => id !== stage.id));
                  }}
                >
                  <X className="icon" aria-hidden="true" />
                </Button>
              </li>
            ))}
          </ol>
          {stages.length < 20 && (
            <Button
              size="sm"
              className="mt-2"
              onClick={() => {
                onEdit();
                onChange([...stages, { id: Math.max(0, ...stages.map(({ id }) => id)) + 1, title: '', percent: '' }]);
              }}
            >
              <Plus className="icon" aria-hidden="true" />
              加一段
            </Button>
          )}
        </>
      )}
    </FieldGroup>
  );
}
