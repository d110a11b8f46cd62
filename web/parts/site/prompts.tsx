import { type ComponentType, useSyncExternalStore } from 'react';
import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { identityPrompt, type Prompt, regainPrompt, stepUpPrompt } from '#web/lib/session/prompt.ts';

/** The properties of a prompt's dialog. */
export interface PromptDialogProps<A = void> {
  about: A;
  onDone: () => void;
  onClose: () => void;
}

const StepUpDialog = lazyWithRetry(() => import('#subjects/accounts/web/parts/step-up/dialog.lazy.tsx'));
const RegainDialog = lazyWithRetry<PromptDialogProps>(
  () => import('#subjects/accounts/web/parts/login/regain-dialog.lazy.tsx'),
);
const IdentityDialog = lazyWithRetry<PromptDialogProps>(
  () => import('#subjects/verification/web/parts/identity/dialog.lazy.tsx'),
);

/** Renders the dialog of a prompt while it is open; used once per prompt. */
export function PromptHost<A>({ prompt, Dialog }: { prompt: Prompt<A>; Dialog: ComponentType<PromptDialogProps<A>> }) {
  const request = useSyncExternalStore(prompt.subscribe, prompt.current, () => null);
  if (!request) return null;
  const { about, settle } = request;
  return <Dialog key={String(about)} about={about} onDone={() => settle(true)} onClose={() => settle(false)} />;
}

/** The prompts that any page may open; used once, in the root. */
export function Prompts() {
  return (
    <>
      <PromptHost prompt={stepUpPrompt} Dialog={StepUpDialog} />
      <PromptHost prompt={regainPrompt} Dialog={RegainDialog} />
      <PromptHost prompt={identityPrompt} Dialog={IdentityDialog} />
    </>
  );
}
