import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';
import { reloadOnMissingChunk } from './lib/chunk-reload.ts';
import { onScriptLost } from './lib/failed-navigation.ts';

reloadOnMissingChunk();
window.addEventListener('script-lost', onScriptLost);

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <HydratedRouter />
    </StrictMode>,
  );
});
