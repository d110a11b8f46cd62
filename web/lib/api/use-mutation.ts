import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import type { Data, Endpoint, Input } from '#contract/endpoint.ts';
import { messageText } from '#web/ui/forms/field.tsx';
import { toast } from '#web/ui/overlays/toast-store.ts';
import type { ApiFailure } from './api-failure.ts';
import { call, isSessionLost, newIdempotencyKey, showFailure, toastFailure } from './api.ts';
import { failureMessage } from './call-errors.ts';
import { errorsOf, type FieldNames, type FormErrors, hasErrors } from '../forms/form-errors.ts';
import { intentDone, intentKey } from './intent-key.ts';
import { isLoginRequired, type KeyHolder, keyHolder, type SendOptions, sendMutation } from './mutation.ts';
import { factorPrompt, identityPrompt } from '../session/prompt.ts';
import { canRegain, logInAgain } from '../session/session-regain.ts';
import { type ShownErrors, useErrors } from '../forms/use-errors.ts';

export interface MutationOptions<I, T> {
  /** The fields next to which an error may be shown; without them every error belongs to the form (`error`). */
  fields?: FieldNames;
  /** Validates by the contract's rules before anything is sent; returns the missing or invalid fields. */
  check?: (input: I) => FormErrors;
  /** Shows failures as a toast, for a button without a place for messages. */
  toasts?: boolean;
  /**
   * Where in `errors` the form's own message is, in place of `send`: the row whose button failed, where several rows share
   * one mutation, or the only field.
   */
  place?: (input: I) => string;
  /**
   * Saves the idempotency key under this name, so that it survives a reload; the input must then contain no secrets.
   */
  intent?: string | ((input: I) => string);
  /**
   * Called after success; returns true when the page is being left: the button then stays busy, so that nothing is sent
   * twice.
   */
  done?: (data: T, input: I) => unknown;
  /** Called after a failure; returns what to show in place of the failure's own message. */
  failed?: (failure: ApiFailure, input: I) => FormErrors | undefined | void | Promise<FormErrors | undefined | void>;
  /** Saves the input in this tab under this name until it is sent: for every form of more than three fields without secrets. */
  draft?: string;
  /** Reloads the page's data after success, or also after a failure. */
  revalidates?: boolean | 'always';
}

export interface Mutation<I, T> extends ShownErrors {
  busy: boolean;
  /** The input being sent, for lists of buttons that share one mutation. */
  pending: I | null;
  /** The text of the form's own message, `send` among `errors`. */
  error: string | null;
  /**
   * Validates and sends; resolves to the data, or to undefined when nothing was sent or the call failed. Never throws.
   */
  send: (input: I) => Promise<T | undefined>;
  /** A handler for onSubmit that sends the result of `read`. */
  submit: (read: (form: HTMLFormElement) => I) => (event: FormEvent<HTMLFormElement>) => void;
}

const NONE: FormErrors = {};

/** A key holder whose key survives a reload, under the name of the intent. */
const storedKeys = (intent: string, input: unknown): KeyHolder => ({
  keyFor: () => intentKey(intent, input, newIdempotencyKey),
  settle: () => intentDone(intent),
});

/** The messages of a failure by field; a form without named fields has one message, a list one beside its row. */
function messagesOf<I, T>(failure: ApiFailure, { fields, place }: MutationOptions<I, T>, input: I): FormErrors {
  const rest = place?.(input) ?? 'send';
  return fields ? errorsOf(failure, fields, rest) : { [rest]: failureMessage(failure) };
}

/** Saves the form's draft; returns a function that deletes it. Its script loads after the page's own. */
function useDraftOf(form: RefObject<HTMLFormElement | null>, name: string | undefined): () => void {
  const forget = useRef<(() => void) | null>(null);
  useEffect(() => {
    if (name === undefined) return undefined;
    let stop: (() => void) | undefined;
    let isGone = false;
    void import('../forms/form-draft.ts').then(
      ({ keepDraft }) => {
        if (isGone || !form.current) return;
        const kept = keepDraft(form.current, name);
        ({ stop } = kept);
        forget.current = kept.forget;
      },
      () => undefined,
    );
    return () => {
      isGone = true;
      stop?.();
    };
  }, [form, name]);
  return () => forget.current?.();
}

/** Whether the component is still mounted. */
function useMounted(): RefObject<boolean> {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}

/**
 * Calls `release` once the page of the router's address is drawn: immediately, or when the page that is being drawn replaces
 * the present one. In between the old page is still visible, and its buttons must not be clicked again.
 */
function useWhenDrawn(release: () => void): () => void {
  const { key } = useLocation();
  const drawnKey = useRef(key);
  const isWaiting = useRef(false);
  useEffect(() => {
    if (drawnKey.current === key) return;
    drawnKey.current = key;
    if (!isWaiting.current) return;
    isWaiting.current = false;
    release();
  });
  return () => {
    const { key: newest = drawnKey.current } = (window.history.state ?? {}) as { key?: string };
    if (newest === drawnKey.current) release();
    else isWaiting.current = true;
  };
}

interface Screen {
  isMounted: RefObject<boolean>;
  setErrors: (errors: FormErrors) => void;
}

/**
 * Shows an error: as `failed` returns it, otherwise beside its field or as a toast. A visitor without a session is sent
 * to the log-in page.
 */
async function showFailed<I, T>(
  options: MutationOptions<I, T>,
  failure: ApiFailure,
  input: I,
  { isMounted, setErrors }: Screen,
): Promise<void> {
  const own = await options.failed?.(failure, input);
  if (own) setErrors(own);
  else if (isSessionLost(failure) && !(isLoginRequired(failure) && canRegain())) showFailure(failure);
  else if (options.toasts) toastFailure(failure);
  else if (isMounted.current) setErrors(messagesOf(failure, options, input));
  // The form is unmounted; the failure of the write is reported anyway.
  else toast(failureMessage(failure), 'warn');
}

/**
 * One write from a form or a button (docs/decisions/227): sent once regardless of repeated clicks, with an idempotency
 * key that a retry reuses, errors beside their fields, the page's data reloaded after success, and a log-in dialog when
 * the session has ended. The first argument is an endpoint, or a function when the write consists of several calls.
 */
export function useMutation<E extends Endpoint>(
  endpoint: E,
  options?: MutationOptions<Input<E>, Data<E>>,
): Mutation<Input<E>, Data<E>>;
export function useMutation<I = void, T = unknown>(
  send: (input: I, options: SendOptions) => Promise<T>,
  options?: MutationOptions<I, T>,
): Mutation<I, T>;
export function useMutation<I, T>(
  target: Endpoint | ((input: I, options: SendOptions) => Promise<T>),
  options: MutationOptions<I, T> = {},
): Mutation<I, T> {
  const [pending, setPending] = useState<{ input: I } | null>(null);
  const { form, errors, setErrors } = useErrors();
  const { revalidate } = useRevalidator();
  const isRunning = useRef(false);
  const isMounted = useMounted();
  const forgetDraft = useDraftOf(form, options.draft);
  const [ownKeys] = useState(() => keyHolder(newIdempotencyKey));
  const release = useWhenDrawn(() => {
    isRunning.current = false;
    setPending(null);
  });

  const run = async (input: I): Promise<{ data?: T; isLeaving: boolean }> => {
    const address = window.location.href;
    const { intent, revalidates } = options;
    const outcome = await sendMutation<T>({
      send: (options) =>
        typeof target === 'function' ? target(input, options) : (call(target, input, options) as Promise<T>),
      keys: intent === undefined ? ownKeys : storedKeys(typeof intent === 'function' ? intent(input) : intent, input),
      logInAgain,
      askSecondFactor: factorPrompt.ask,
      proveIdentity: identityPrompt.ask,
    });
    if (!outcome.ok) {
      await showFailed(options, outcome.failure, input, { isMounted, setErrors });
      if (revalidates === 'always') await revalidate();
      return { isLeaving: false };
    }
    forgetDraft();
    // A user who has navigated to another page in the meantime stays there.
    const isGone = !isMounted.current && window.location.href !== address;
    const isLeaving = !isGone && (await options.done?.(outcome.data, input)) === true;
    if (revalidates) await revalidate();
    return { data: outcome.data, isLeaving };
  };

  const send = async (input: I): Promise<T | undefined> => {
    if (isRunning.current) return undefined;
    const wrong = options.check?.(input) ?? NONE;
    setErrors(wrong);
    if (hasErrors(wrong)) return undefined;
    isRunning.current = true;
    setPending({ input });
    let isLeaving = false;
    try {
      const result = await run(input);
      isLeaving = result.isLeaving;
      return result.data;
    } finally {
      if (!isLeaving) release();
    }
  };

  return {
    busy: pending !== null,
    pending: pending?.input ?? null,
    errors,
    error: messageText(errors.send) ?? null,
    form,
    send,
    submit: (read) => (event) => {
      event.preventDefault();
      void send(read(event.currentTarget));
    },
    setErrors,
  };
}
