import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { reloadOnMissingChunk } from './lib/loading/chunk-reload.ts';
import { cookie } from './lib/session/cookies.ts';
import { onScriptLost } from './lib/loading/failed-navigation.ts';

reloadOnMissingChunk();
window.addEventListener('script-lost', onScriptLost);

// A page restored from the back/forward cache may belong to a session that has changed since.
const isSignedIn = (): boolean => Boolean(cookie('token'));
const wasSignedIn = isSignedIn();
window.addEventListener('pageshow', ({ persisted }) => {
  if (persisted && isSignedIn() !== wasSignedIn) window.location.reload();
});

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
