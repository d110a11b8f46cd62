import { lazyWithRetry } from '#web/lib/loading/lazy.tsx';
import { factorPrompt } from '#web/lib/session/prompt.ts';
import { type PromptDialogProps, PromptHost } from '#web/parts/site/prompts.tsx';

const FactorDialog = lazyWithRetry<PromptDialogProps>(() => import('./factor-dialog.lazy.tsx'));

/** Renders the dialog for the second factor when a decision requires it; used once, in the back office. */
export const FactorHost = () => <PromptHost prompt={factorPrompt} Dialog={FactorDialog} />;
