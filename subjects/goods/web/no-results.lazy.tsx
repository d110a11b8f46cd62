import type { ReactNode } from 'react';
import { Form } from 'react-router';
import { isService } from '#subjects/orders/rules/order-types.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { keptWhenLost } from '#web/lib/loading/hydrated-later.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { ListData } from './list-loader.ts';

/** `subscribe`: the button that subscribes to the search. */
type Props = Readonly<{ data: ListData; title: string; subscribe: ReactNode }>;

/** A want for one game can begin here, but not for a service, which has open orders or hours to choose instead. */
const canWant = ({ state }: ListData): boolean =>
  state.gid !== null && !isService(state.gt ?? 0) && state.sellerId === null;

/** Starts a want with the search conditions and a maximum price; both are passed to the want form. */
function WantStart({ data, title, subscribe }: Props) {
  const [path = '', query] = data.wantTo.split('?');
  const kept = [...new URLSearchParams(query)].filter(([name]) => name !== 'max' && name !== 'keyWord');
  const wish = `求${title} ${data.state.keyWord}`.trim();
  return (
    <section
      className="grid content-start gap-3 px-6 py-8 max-md:border-t md:border-l border-line-soft"
      aria-labelledby="want-start"
    >
      <div className="grid gap-1">
        <h3 id="want-start" className="text-14 font-semibold">
          发一条求购，让卖家来找您
        </h3>
        <p className="text-13 text-ink-3">符合的新商品和降价会马上通知您，求购不收费。</p>
      </div>
      <Form method="get" action={path} className="grid items-end gap-3 sm:grid-cols-[minmax(0,1fr)_128px_auto]">
        {kept.map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <Field label="想要什么">
          {(control) => <Input {...control} name="title" maxLength={60} defaultValue={wish} />}
        </Field>
        <Field label="最高（元）">
          {(control) => (
            <Input {...control} name="max" inputMode="decimal" autoComplete="off" defaultValue={data.state.max} />
          )}
        </Field>
        <Button type="submit" kind="primary">
          发求购
        </Button>
      </Form>
      <div>{subscribe}</div>
    </section>
  );
}

/** No results: which condition to remove, one click each, with the number that each yields; and the start of a want. */
function NoResults({ data, title, subscribe }: Props) {
  const { empty } = data;
  const isWanted = canWant(data);
  const links = isWanted ? empty.links.filter(({ to }) => to !== data.wantTo) : empty.links;
  const actions = links.map(({ label, to, kind }) => (
    <ButtonLink key={label} to={to} preventScrollReset size="sm" kind={kind}>
      {label}
    </ButtonLink>
  ));
  if (!isWanted)
    return (
      <EmptyState
        title={empty.title}
        action={
          <>
            {actions}
            {subscribe}
          </>
        }
      >
        {empty.text}
      </EmptyState>
    );
  return (
    <div className="grid md:grid-cols-2">
      <section className="grid content-start gap-3 px-6 py-8" aria-labelledby="no-results">
        <h3 id="no-results" className="text-16 font-semibold">
          {empty.title}
        </h3>
        <p className="text-13 text-ink-3">{empty.text}</p>
        <div className="flex flex-wrap gap-2">{actions}</div>
      </section>
      <WantStart data={data} title={title} subscribe={subscribe} />
    </div>
  );
}

export default keptWhenLost(NoResults);
