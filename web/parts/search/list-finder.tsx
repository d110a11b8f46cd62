import { Search } from 'lucide-react';
import { Form } from 'react-router';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';

/** Searches the list below it within the current tab. On phones it takes a whole line. */
export function ListFinder({
  label,
  placeholder,
  keyWord,
  status,
  kept = {},
}: {
  label: string;
  placeholder: string;
  keyWord: string;
  /** The state of the current tab; null for all. */
  status: number | null;
  /** Other parts of the URL that the search keeps. */
  kept?: Readonly<Record<string, string>>;
}) {
  return (
    <Form method="get" role="search" className="flex items-center gap-2 max-md:w-full md:ml-auto">
      {status !== null && <input type="hidden" name="status" value={status} />}
      {Object.entries(kept).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <Input
        key={keyWord}
        small
        name="keyWord"
        defaultValue={keyWord}
        maxLength={40}
        placeholder={placeholder}
        aria-label={label}
        className="min-w-0 flex-1 md:w-52! md:flex-none!"
      />
      <Button type="submit" size="sm">
        <Search className="icon size-3.5" aria-hidden="true" />
        搜索
      </Button>
    </Form>
  );
}
