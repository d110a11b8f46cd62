import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { reloadOnMissingChunk } from './lib/chunk-reload.ts';
import { cookie } from './lib/cookies.ts';
import { onScriptLost } from './lib/failed-navigation.ts';

reloadOnMissingChunk();
window.addEventListener('script-lost', onScriptLost);

// A page that comes back as it was left (back/forward cache) is not that of somebody who has logged in or out since.
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
