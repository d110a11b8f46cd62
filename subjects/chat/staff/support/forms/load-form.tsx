import { type FormEvent, useState } from 'react';
import { useRevalidator } from 'react-router';
import { saveMaxChats } from '#subjects/chat/contract/im-support.ts';
import { call } from '#web/lib/api/api.ts';
import { Button } from '#web/ui/button.tsx';
import { Input } from '#web/ui/forms/input.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';

function Limit({ one }: { one: { staffId: number; name: string; maxChats: number } }) {
  const { revalidate } = useRevalidator();
  const [value, setValue] = useState(String(one.maxChats));
  const save = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await call(saveMaxChats, { staffId: one.staffId, maxChats: value });
      toast('已保存', 'ok');
      await revalidate();
    } catch {
      // `call` has shown the message; the field keeps its value.
    }
  };
  return (
    <form className="flex items-center gap-2 text-13" onSubmit={(event) => void save(event)}>
      <label className="flex items-center gap-2">
        {one.name}
        <Input
          small
          className="w-20!"
          inputMode="numeric"
          value={value}
          onChange={(event) => setValue(event.target.value)}
        />
      </label>
      <Button size="sm" type="submit" disabled={value === String(one.maxChats)}>
        保存
      </Button>
    </form>
  );
}

/** The maximum number of concurrent conversations of each agent. */
export function LoadForm({ staff }: { staff: readonly { staffId: number; name: string; maxChats: number }[] }) {
  return (
    <section className="panel mt-4 p-3" aria-label="同时接待上限">
      <h2 className="mb-2 text-14 font-semibold">同时接待上限</h2>
      <div className="flex flex-wrap gap-x-8 gap-y-2">
        {staff.map((one) => (
          <Limit key={one.staffId} one={one} />
        ))}
      </div>
    </section>
  );
}
