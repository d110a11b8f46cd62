import { Minus, Plus } from 'lucide-react';
import { useState } from 'react';
import { grouped } from '#web/lib/format/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/forms/field.tsx';
import { Input } from '#web/ui/forms/input.tsx';

/** Quantity of a listing with stock; the input is corrected on blur and never exceeds the stock. */
export function Quantity({
  value,
  stock,
  onChange,
}: {
  value: number;
  stock: number;
  onChange: (value: number) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const set = (n: number) => {
    setTyped(null);
    onChange(Math.min(stock, Math.max(1, Math.floor(n) || 1)));
  };
  const wanted = Number(typed ?? value);
  const error =
    typed !== null && (!Number.isInteger(wanted) || wanted < 1 || wanted > stock)
      ? `请填写 1 到 ${grouped(stock)} 之间的整数`
      : null;
  return (
    <div className="border-t border-line-soft px-4 py-3.5">
      <Field label="数量" required error={error} help={`库存 ${grouped(stock)} 件`}>
        {(control) => (
          <span className="flex items-center gap-2">
            <Button icon aria-label="减少一件" disabled={value <= 1} onClick={() => set(value - 1)}>
              <Minus className="icon" aria-hidden="true" />
            </Button>
            <Input
              {...control}
              className="w-24! text-center"
              inputMode="numeric"
              value={typed ?? value}
              onChange={(event) => {
                const text = event.target.value;
                setTyped(text);
                const n = Number(text);
                if (/^\d{1,6}$/.test(text) && n >= 1 && n <= stock) onChange(n);
              }}
              onBlur={() => set(wanted)}
            />
            <Button icon aria-label="增加一件" disabled={value >= stock} onClick={() => set(value + 1)}>
              <Plus className="icon" aria-hidden="true" />
            </Button>
          </span>
        )}
      </Field>
    </div>
  );
}
