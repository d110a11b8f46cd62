import { Plus, Users } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type ListView, removeListView, saveListView } from '#subjects/back-office/contract/lists.ts';
import type { ListName } from '#contract/lists/names.ts';
import { countText } from '#web/lib/format/format.ts';
import { textsOf } from '#web/lib/forms/form-values.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/class-names.ts';
import { Dialog } from '#web/ui/overlays/dialog.tsx';
import { Field, FormError } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { ViewCounts } from './use-list.ts';
import { FormFooter } from '../parts/form-footer.tsx';

/** A built-in view of the page. */
export interface BuiltInView {
  name: string;
  query: string;
}

function SaveDialog({
  list,
  query,
  view,
  onSaved,
  onClose,
}: {
  list: ListName;
  query: string;
  view: ListView | null;
  onSaved: (viewId: number) => void;
  onClose: () => void;
}) {
  const { form, busy, errors, submit } = useMutation(saveListView, {
    fields: ['name'],
    check: ({ name }) => ({ name: name === '' ? '请给视图起个名字' : undefined }),
    revalidates: true,
    done: ({ viewId }) => {
      toast('视图已保存', 'ok');
      onSaved(viewId);
    },
  });
  const read = (element: HTMLFormElement) => {
    const name = textsOf(element)('name');
    return { list, query, name, shared: new FormData(element).has('shared'), ...(view && { viewId: view.viewId }) };
  };
  return (
    <Dialog title={view ? '修改视图' : '保存视图'} onClose={onClose}>
      <form ref={form} className="grid gap-3" noValidate onSubmit={submit(read)}>
        <p className="text-13 text-ink-2">保存现在的筛选、排序和列，下次一按就到。</p>
        <Field label="名称" required error={errors.name}>
          {(control) => (
            <Input
              {...control}
              name="name"
              maxLength={20}
              defaultValue={view?.name ?? ''}
              placeholder="例如 本周待交付"
            />
          )}
        </Field>
        <label className="flex items-center gap-2 text-13">
          <input type="checkbox" className="checkbox" name="shared" defaultChecked={view?.shared ?? false} />
          同事也能看到（只有您能修改）
        </label>
        <FormError>{errors.send}</FormError>
        <div className="flex justify-end gap-2">
          <FormFooter busy={busy}>保存</FormFooter>
        </div>
      </form>
    </Dialog>
  );
}

interface ViewsBarProps {
  list: ListName;
  builtIn: readonly BuiltInView[];
  views: readonly ListView[];
  /** The query that the page displays, and the saved view that it came from. */
  query: string;
  viewId: number | null;
  count: string;
  /** The numbers of rows of the other views. */
  counts: ViewCounts;
  onView: (viewId: number | null, query: string) => void;
}

/** The actions on a saved view: save the changes, rename, remove. */
function ViewActions({
  view,
  query,
  onEdit,
  onGone,
  list,
}: {
  view: ListView;
  query: string;
  list: ListName;
  onEdit: () => void;
  onGone: () => void;
}) {
  const save = useMutation(saveListView, { toasts: true, revalidates: true, done: () => toast('已存回视图', 'ok') });
  const remove = useMutation(removeListView, { toasts: true, revalidates: true, done: onGone });
  const { viewId, name, shared } = view;
  return (
    <span className="list-view-actions">
      {view.query !== query && <span className="text-ink-3">已改动</span>}
      {view.isMine ? (
        <>
          {view.query !== query && (
            <Button size="sm" busy={save.busy} onClick={() => void save.send({ list, viewId, name, shared, query })}>
              存回
            </Button>
          )}
          <Button size="sm" kind="ghost" onClick={onEdit}>
            改名
          </Button>
          <Button size="sm" kind="ghost" busy={remove.busy} onClick={() => void remove.send({ viewId })}>
            删除
          </Button>
        </>
      ) : (
        <span className="text-ink-3">由 {view.byName} 共享</span>
      )}
    </span>
  );
}

/** The views of a list as tabs: those of the page, the caller's own, and those shared by colleagues. */
export function ViewsBar({ list, builtIn, views, query, viewId, count, counts, onView }: ViewsBarProps) {
  const [dialog, setDialog] = useState<'new' | 'edit' | null>(null);
  const current = views.find((view) => view.viewId === viewId) ?? null;
  const tab = (name: string, to: string, of: string, isHere: boolean, isShared = false) => (
    <Link
      key={`${name} ${to}`}
      to={to}
      preventScrollReset
      aria-current={isHere ? 'page' : undefined}
      className={cx('list-view')}
    >
      {isShared && <Users className="icon size-3.5" aria-label="共享" />}
      {name}
      {isHere ? <i>{count}</i> : counts[of] && <i>{countText(counts[of].total, counts[of].totalCapped)}</i>}
    </Link>
  );
  return (
    <nav className="list-views" aria-label="视图">
      {builtIn.map((view) =>
        tab(view.name, view.query === '' ? '?all=1' : `?${view.query}`, view.query, !current && view.query === query),
      )}
      {views.map((view) => {
        const rest = view.query === '' ? '' : `&${view.query}`;
        return tab(view.name, `?view=${view.viewId}${rest}`, view.query, view === current, view.shared);
      })}
      <Button
        size="sm"
        kind="ghost"
        icon
        aria-label="保存为新视图"
        title="保存为新视图"
        onClick={() => setDialog('new')}
      >
        <Plus className="icon" aria-hidden="true" />
      </Button>
      {current && (
        <ViewActions
          list={list}
          view={current}
          query={query}
          onEdit={() => setDialog('edit')}
          onGone={() => onView(null, '')}
        />
      )}
      {dialog && (
        <SaveDialog
          list={list}
          query={query}
          view={dialog === 'edit' ? current : null}
          onSaved={(saved) => {
            setDialog(null);
            onView(saved, query);
          }}
          onClose={() => setDialog(null)}
        />
      )}
    </nav>
  );
}
