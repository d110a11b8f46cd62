import { ArrowDown, ArrowUp, Columns3 } from 'lucide-react';
import { useState } from 'react';
import type { AnyList } from '#contract/lists/kit.ts';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Popover } from '#web/ui/overlays/popover.tsx';

/** Moves one member of a list up or down. */
function moved(keys: readonly string[], key: string, by: -1 | 1): string[] {
  const at = keys.indexOf(key);
  const next = keys.toSpliced(at, 1);
  next.splice(Math.max(0, at + by), 0, key);
  return next;
}

/** The selection and order of the displayed columns, by group and with a search field. */
export function ColumnsMenu({
  columns,
  visible,
  onChange,
}: {
  columns: AnyList['columns'];
  visible: readonly string[];
  onChange: (keys: readonly string[]) => void;
}) {
  const [find, setFind] = useState('');
  const groups = [...new Set(columns.map(({ group }) => group))];
  const standard = columns.filter(({ isExtra }) => !isExtra).map(({ key }) => key);
  return (
    <Popover
      label="列"
      align="end"
      trigger={(props) => (
        <button type="button" className="list-tool" {...props}>
          <Columns3 className="icon size-3.5" aria-hidden="true" />列 {visible.length}/{columns.length}
        </button>
      )}
    >
      {() => (
        <div className="list-columns">
          <Input small aria-label="找列" placeholder="找列" value={find} onChange={(e) => setFind(e.target.value)} />
          {groups.map((group) => {
            const found = columns.filter((column) => column.group === group && column.name.includes(find));
            if (found.length === 0) return null;
            return (
              <fieldset key={group}>
                <legend>{group}</legend>
                {found.map(({ key, name }) => {
                  const isShown = visible.includes(key);
                  return (
                    <div key={key}>
                      <label>
                        <input
                          type="checkbox"
                          className="checkbox"
                          checked={isShown}
                          disabled={isShown && visible.length === 1}
                          onChange={() => onChange(isShown ? visible.filter((one) => one !== key) : [...visible, key])}
                        />
                        {name}
                      </label>
                      {isShown && (
                        <span>
                          <button
                            type="button"
                            aria-label={`${name}左移`}
                            disabled={visible[0] === key}
                            onClick={() => onChange(moved(visible, key, -1))}
                          >
                            <ArrowUp className="icon size-3 -rotate-90" aria-hidden="true" />
                          </button>
                          <button
                            type="button"
                            aria-label={`${name}右移`}
                            disabled={visible.at(-1) === key}
                            onClick={() => onChange(moved(visible, key, 1))}
                          >
                            <ArrowDown className="icon size-3 -rotate-90" aria-hidden="true" />
                          </button>
                        </span>
                      )}
                    </div>
                  );
                })}
              </fieldset>
            );
          })}
          <Button size="sm" kind="ghost" onClick={() => onChange(standard)}>
            恢复默认
          </Button>
        </div>
      )}
    </Popover>
  );
}
