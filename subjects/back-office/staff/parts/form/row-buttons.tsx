import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { Button } from '#web/ui/button.tsx';

/** A copy of a list with two neighbours exchanged. */
function moved<T>(list: readonly T[], from: number, by: 1 | -1): T[] {
  const copy = [...list];
  const [item] = copy.splice(from, 1);
  if (item !== undefined) copy.splice(from + by, 0, item);
  return copy;
}

/** Buttons that move and remove a row of a list. */
export function RowButtons<T>({
  list,
  index,
  name,
  removable = true,
  onChange,
}: {
  list: readonly T[];
  index: number;
  name: string;
  /** False when rows are closed instead of removed. */
  removable?: boolean;
  onChange: (list: T[]) => void;
}) {
  return (
    <span className="ml-auto flex flex-none">
      <Button
        kind="ghost"
        size="sm"
        icon
        aria-label={`${name}上移`}
        disabled={index === 0}
        onClick={() => onChange(moved(list, index, -1))}
      >
        <ArrowUp className="icon size-3.5" aria-hidden="true" />
      </Button>
      <Button
        kind="ghost"
        size="sm"
        icon
        aria-label={`${name}下移`}
        disabled={index === list.length - 1}
        onClick={() => onChange(moved(list, index, 1))}
      >
        <ArrowDown className="icon size-3.5" aria-hidden="true" />
      </Button>
      {removable && (
        <Button
          kind="ghost"
          size="sm"
          icon
          aria-label={`移除${name}`}
          onClick={() => onChange(list.filter((_, n) => n !== index))}
        >
          <X className="icon size-3.5" aria-hidden="true" />
        </Button>
      )}
    </span>
  );
}
