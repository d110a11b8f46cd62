import { ClipboardPaste, Plus } from 'lucide-react';
import { useState } from 'react';
import type { AreaDoc, ServerDoc } from '#subjects/games/contract/game-doc.ts';
import { pasteRegions } from '../../rules/region-paste.ts';
import type { Message } from '#web/lib/forms/form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { FormError } from '#web/ui/forms/field.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { RowButtons } from '#subjects/back-office/staff/parts/form/row-buttons.tsx';
import { PasteDialog } from './inputs.tsx';
import type { GameForm } from './use-game-form.ts';

const replaced = <T,>(list: readonly T[], at: number, item: T): T[] => list.map((one, i) => (i === at ? item : one));
const without = <T extends object, K extends keyof T>(item: T, ...keys: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(item).filter(([key]) => !(keys as string[]).includes(key))) as Omit<T, K>;

/** Enables or disables an item; one that was never published is removed instead. */
const toggled = <T extends { off?: true | undefined }>(item: T): T =>
  (item.off ? without(item as T & { mergedInto?: number }, 'off', 'mergedInto') : { ...item, off: true }) as T;

/** The servers of one area: renamed, moved, closed, merged into another. */
function Servers({ form, index }: { form: GameForm; index: number }) {
  const { doc, errors, change } = form;
  const [pasting, setPasting] = useState(false);
  const [query, setQuery] = useState('');
  const area = doc.areas[index];
  if (!area) return null;
  const setServers = (servers: ServerDoc[]) => change({ areas: replaced(doc.areas, index, { ...area, servers }) });
  const open = doc.areas.flatMap((a) =>
    a.off
      ? []
      : a.servers.flatMap((s) => (s.off || s.id === undefined ? [] : [{ id: s.id, name: `${a.name} ${s.name}` }])),
  );
  const path = `areas.${index}.servers`;
  const visible = area.servers.flatMap((server, at) =>
    query === '' || server.name.includes(query) ? [{ server, at }] : [],
  );
  return (
    <section className="panel min-w-0" aria-label={`${area.name}的服务器`}>
      <div className="flex flex-wrap items-center gap-2 border-b border-line-soft px-4 py-2.5">
        <h2 className="text-14 font-semibold">{area.name || '未命名的大区'}</h2>
        <span className="text-12 text-ink-3">{area.servers.filter((s) => !s.off).length} 个服务器</span>
        {area.servers.length > 20 && (
          <Input
            small
            className="ml-auto w-36!"
            aria-label="按名称找服务器"
            placeholder="找服务器"
            value={query}
            onChange={(e) => setQuery(e.target.value.trim())}
          />
        )}
      </div>
      {area.servers.length === 0 && (
        <p className="px-4 py-3 text-13 text-ink-3">这个大区不分服务器；要分就加几个，或整段粘贴。</p>
      )}
      <ul className="max-h-140 overflow-y-auto">
        {visible.map(({ server, at }) => (
          <li key={server.id ?? `new-${at}`} className="border-b border-line-soft px-4 py-1.5">
            <div className="flex flex-wrap items-center gap-2">
              <Input
                small
                className={cx('w-44!', server.off && 'text-ink-3 line-through')}
                aria-label={`第 ${at + 1} 个服务器的名称`}
                aria-invalid={errors[`${path}.${at}.name`] ? true : undefined}
                maxLength={20}
                value={server.name}
                onChange={(e) => setServers(replaced(area.servers, at, { ...server, name: e.target.value }))}
              />
              {server.id === undefined && <Tag>新</Tag>}
              {server.off && (
                <Select
                  small
                  className="w-44!"
                  aria-label={`${server.name}并入`}
                  aria-invalid={errors[`${path}.${at}.mergedInto`] ? true : undefined}
                  value={server.mergedInto ?? ''}
                  onChange={(e) =>
                    setServers(
                      replaced(area.servers, at, {
                        ...without(server, 'mergedInto'),
                        ...(e.target.value !== '' && { mergedInto: Number(e.target.value) }),
                      }),
                    )
                  }
                >
                  <option value="">停用，不并入别的服</option>
                  {open.map(({ id, name }) => (
                    <option key={id} value={id}>
                      并入 {name}
                    </option>
                  ))}
                </Select>
              )}
              {server.id !== undefined && (
                <Button size="sm" kind="ghost" onClick={() => setServers(replaced(area.servers, at, toggled(server)))}>
                  {server.off ? '恢复' : '停用'}
                </Button>
              )}
              {query === '' && (
                <RowButtons
                  list={area.servers}
                  index={at}
                  name={server.name}
                  removable={server.id === undefined}
                  onChange={setServers}
                />
              )}
            </div>
            <FormError>{errors[`${path}.${at}.name`] ?? errors[`${path}.${at}.mergedInto`]}</FormError>
          </li>
        ))}
      </ul>
      <div className="flex gap-2 px-4 py-2.5">
        <Button size="sm" onClick={() => setServers([...area.servers, { name: '' }])}>
          <Plus className="icon size-3.5" aria-hidden="true" />
          加服务器
        </Button>
        <Button size="sm" onClick={() => setPasting(true)}>
          <ClipboardPaste className="icon size-3.5" aria-hidden="true" />
          批量粘贴
        </Button>
      </div>
      {pasting && (
        <PasteDialog
          title={`给${area.name}加服务器`}
          help="每行一个，也可以用顿号、逗号或空格隔开；已有的名称不会重复加。"
          preview={(text) => pasted(pasteRegions(doc.areas, text, index))}
          onTake={(text) => change({ areas: pasteRegions(doc.areas, text, index).areas })}
          onClose={() => setPasting(false)}
        />
      )}
    </section>
  );
}

const pasted = (p: { addedAreas: number; addedServers: number; known: number }): string =>
  `会加 ${p.addedAreas > 0 ? `${p.addedAreas} 个大区、` : ''}${p.addedServers} 个服务器${p.known > 0 ? `，${p.known} 个已有的跳过` : ''}`;

function AreaRow({
  area,
  error,
  isChosen,
  onChoose,
  onChange,
  children,
}: {
  area: AreaDoc;
  error: Message | undefined;
  isChosen: boolean;
  onChoose: () => void;
  onChange: (area: AreaDoc) => void;
  children: React.ReactNode;
}) {
  return (
    <li className={cx('border-b border-line-soft px-3 py-1.5', isChosen && 'bg-brand-50')}>
      <div className="flex items-center gap-2">
        <Input
          small
          className={cx('min-w-0 flex-1', area.off && 'text-ink-3 line-through')}
          aria-label="大区名称"
          aria-invalid={error ? true : undefined}
          maxLength={20}
          value={area.name}
          onFocus={onChoose}
          onChange={(e) => onChange({ ...area, name: e.target.value })}
        />
        <button type="button" className="w-14 flex-none text-right text-12 text-link" onClick={onChoose}>
          {area.servers.filter((s) => !s.off).length} 服
        </button>
        {area.id === undefined ? (
          <Tag>新</Tag>
        ) : (
          <Button size="sm" kind="ghost" onClick={() => onChange(toggled(area))}>
            {area.off ? '恢复' : '停用'}
          </Button>
        )}
        {children}
      </div>
      <FormError>{error}</FormError>
    </li>
  );
}

/** Areas at the left, the servers of the selected one next to them. Published items are closed, never deleted. */
export function AreasTab({ form }: { form: GameForm }) {
  const { doc, errors, change } = form;
  const [chosen, setChosen] = useState(0);
  const [pasting, setPasting] = useState(false);
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[420px_minmax(0,1fr)]">
      <section className="panel min-w-0" aria-label="大区">
        <div className="flex items-center gap-2 border-b border-line-soft px-4 py-2.5">
          <h2 className="text-14 font-semibold">大区</h2>
          <span className="text-12 text-ink-3">停用的不再让人选，已有商品照样显示</span>
        </div>
        {doc.areas.length === 0 && (
          <p className="px-4 py-3 text-13 text-ink-3">不分大区的游戏可以空着，卖家就不用选。</p>
        )}
        <ul>
          {doc.areas.map((area, at) => (
            <AreaRow
              key={area.id ?? `new-${at}`}
              area={area}
              error={errors[`areas.${at}.name`] ?? errors[`areas.${at}.id`]}
              isChosen={at === chosen}
              onChoose={() => setChosen(at)}
              onChange={(next) => change({ areas: replaced(doc.areas, at, next) })}
            >
              <RowButtons
                list={doc.areas}
                index={at}
                name={area.name}
                removable={area.id === undefined}
                onChange={(areas) => change({ areas })}
              />
            </AreaRow>
          ))}
        </ul>
        <FormError>{errors.areas}</FormError>
        <div className="flex gap-2 px-4 py-2.5">
          <Button
            size="sm"
            onClick={() => {
              change({ areas: [...doc.areas, { name: '', servers: [] }] });
              setChosen(doc.areas.length);
            }}
          >
            <Plus className="icon size-3.5" aria-hidden="true" />
            加大区
          </Button>
          <Button size="sm" onClick={() => setPasting(true)}>
            <ClipboardPaste className="icon size-3.5" aria-hidden="true" />
            批量粘贴
          </Button>
        </div>
      </section>
      {doc.areas[chosen] ? (
        <Servers key={chosen} form={form} index={chosen} />
      ) : (
        <div className="panel">
          <EmptyState title="还没有大区">加一个大区，再在这里加它的服务器。</EmptyState>
        </div>
      )}
      {pasting && (
        <PasteDialog
          title="批量粘贴大区和服务器"
          help={
            <>
              一行一个大区，冒号后是它的服务器：<code>安卓QQ：1区、2区</code>
              ；也可以从表格粘贴两列（大区、服务器）。已有的名称不会重复加。
            </>
          }
          preview={(text) => pasted(pasteRegions(doc.areas, text))}
          onTake={(text) => change({ areas: pasteRegions(doc.areas, text).areas })}
          onClose={() => setPasting(false)}
        />
      )}
    </div>
  );
}
