import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { evaluation } from '#subjects/valuation/contract/evaluation.ts';
import type { Field } from '#subjects/games/contract/games.ts';
import { checkAttrs } from '#subjects/games/rules/attrs.ts';
import { useMutation } from '#web/lib/api/use-mutation.ts';
import type { FormErrors } from '#web/lib/forms/form-errors.ts';
import type { Result, ValuationData } from './valuation-loader.ts';

const WAIT_MS = 350;
/** How long the price before a change stays as a tick on the chart. */
const TICK_MS = 2000;

export interface Live {
  details: Readonly<Record<string, unknown>>;
  areaId: string;
  result: Result;
  /** The typical price before the last change, for two seconds. */
  was: string | null;
  busy: boolean;
  /** The result belongs to an earlier input, because updating it failed. */
  isStale: boolean;
  /** By field; `send` is the message of a failed call. */
  errors: FormErrors;
  form: RefObject<HTMLFormElement | null>;
  change: (part: Record<string, unknown>) => void;
  setArea: (areaId: string) => void;
  /** Requests the price once more, after a failed call. */
  again: () => void;
  /** Stores the valuation with the current input; undefined when a field is invalid. */
  keep: () => Promise<string | undefined>;
}

/** Errors of what was entered, by the field's path; every field may be empty. */
function problemsOf(fields: readonly Field[], details: Record<string, unknown>): Record<string, string> {
  const { errors } = checkAttrs(
    fields.map((f) => ({ ...f, required: false })),
    details,
  );
  return Object.fromEntries([...errors].map(([key, text]) => [`details.${key}`, text]));
}

interface Typed {
  details: Record<string, unknown>;
  areaId: string;
}

/**
 * The account being typed and its price, which follows each change after a moment; the numbers stay while a field is wrong. Without
 * `isPriced` the input is only checked.
 */
export function useLive(data: ValuationData, { isPriced = true }: { isPriced?: boolean } = {}): Live {
  const { game, fields, first } = data;
  const [typed, setTyped] = useState<Typed>({
    details: { ...first.details },
    areaId: first.areaId === null ? '' : String(first.areaId),
  });
  const [result, setResult] = useState<Result>(first);
  const [was, setWas] = useState<string | null>(null);
  const [isStale, setStale] = useState(false);
  const names = ['areaId', ...fields.map(({ key }) => `details.${key}`)];
  const input = ({ details, areaId }: Typed, preview: 0 | 1) => ({
    gameId: game.id,
    ...(areaId && { areaId }),
    details,
    preview,
  });
  const { errors, form, send, setErrors, busy } = useMutation(evaluation, { fields: names });
  const lastRequest = useRef(typed);

  const ask = useEffectEvent(async (current: Typed) => {
    const wrong = problemsOf(fields, current.details);
    setErrors(wrong);
    if (Object.keys(wrong).length > 0) return;
    lastRequest.current = current;
    if (!isPriced) return;
    const next = await send(input(current, 1));
    setStale(!next);
    if (!next) return;
    setWas(result.typical === next.typical ? null : result.typical);
    setResult(next);
  });
  useEffect(() => {
    if (busy || typed === lastRequest.current) return undefined;
    const timer = setTimeout(() => void ask(typed), WAIT_MS);
    return () => clearTimeout(timer);
    // When the input changes during a call, another call follows.
  }, [typed, busy]);
  useEffect(() => {
    if (was === null) return undefined;
    const timer = setTimeout(() => setWas(null), TICK_MS);
    return () => clearTimeout(timer);
  }, [was]);

  const update = (part: Partial<Typed>): void => {
    setTyped((now) => ({ ...now, ...part }));
  };
  return {
    details: typed.details,
    areaId: typed.areaId,
    result,
    was,
    busy,
    isStale,
    errors,
    form,
    again: () => update({}),
    change: (part) => update({ details: { ...typed.details, ...part } }),
    setArea: (areaId) => update({ areaId }),
    keep: async () => {
      const wrong = problemsOf(fields, typed.details);
      setErrors(wrong);
      if (Object.keys(wrong).length > 0) return undefined;
      // Do not check the same input again, which would clear the message of a failed call.
      if (!isPriced) lastRequest.current = typed;
      return (await send(input(typed, 0)))?.evaluationSn;
    },
  };
}
