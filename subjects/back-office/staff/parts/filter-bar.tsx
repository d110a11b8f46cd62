import type { ReactNode } from 'react';
import { Form, useLocation, useSearchParams, useSubmit } from 'react-router';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Input, Select } from '#web/ui/forms/input.tsx';

/**
 * Filters of a list, kept in its URL: a select applies on change, a keyword on Enter. `preserve` names query parameters that are not
 * filters (a tab) and must be kept.
 */
export function FilterBar({
  names,
  preserve = [],
  children,
}: {
  names: readonly string[];
  preserve?: readonly string[];
  children: ReactNode;
}) {
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const submit = useSubmit();
  const preserved = preserve.flatMap((name) => {
    const value = search.get(name);
    return value ? [[name, value] as const] : [];
  });
  const bare =
    preserved.length > 0
      ? `${pathname}?${new URLSearchParams(preserved.map(([k, v]) => [k, v])).toString()}`
      : pathname;
  return (
    <Form
      key={search.toString()}
      className="admin-filters"
      role="search"
      onChange={(event) => {
        if (event.target instanceof HTMLSelectElement) void submit(event.currentTarget);
      }}
    >
      {preserved.map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {children}
      <Button size="sm" type="submit">
        筛选
      </Button>
      {names.some((name) => search.get(name)) && (
        <ButtonLink size="sm" kind="ghost" to={bare}>
          清除
        </ButtonLink>
      )}
    </Form>
  );
}

/** A select of a filter bar; the first entry means all. */
export function FilterSelect({
  name,
  label,
  all,
  options,
}: {
  name: string;
  label: string;
  all: string;
  options: readonly (readonly [value: string | number, text: string])[];
}) {
  const [search] = useSearchParams();
  return (
    <Select small name={name} aria-label={label} defaultValue={search.get(name) ?? ''}>
      <option value="">{all}</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  );
}

/** A keyword field of a filter bar. */
export function FilterKeyword({ name = 'keyWord', placeholder }: { name?: string; placeholder: string }) {
  const [search] = useSearchParams();
  return (
    <Input
      small
      type="search"
      name={name}
      aria-label={placeholder}
      placeholder={placeholder}
      maxLength={40}
      defaultValue={search.get(name) ?? ''}
      className="w-52"
    />
  );
}
