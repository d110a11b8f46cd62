/** Parts as the server renders them: here `import.meta.env.SSR` is true. */
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { hydratedLater, keptWhenLost, LateBoundary, partsLoaded } from './hydrated-later.tsx';

const module = {
  default: ({ name }: { name: string }) => <b>{name}</b>,
  Kept: keptWhenLost(({ name }: { name: string }) => <i>{name}</i>),
};

test('the server renders a part in one piece once all parts are loaded', async () => {
  const First = hydratedLater(() => Promise.resolve(module));
  const Kept = hydratedLater(() => Promise.resolve(module), 'Kept');
  await partsLoaded();
  expect(
    renderToStaticMarkup(
      <LateBoundary>
        <First name="a" />
        <Kept name="b" />
      </LateBoundary>,
    ),
  ).toBe('<div class="contents" data-late=""><b>a</b><div class="contents" data-served=""><i>b</i></div></div>');
});

test('a part that is rendered too early fails and is not silently left out', () => {
  const Early = hydratedLater(() => Promise.resolve(module));
  expect(() => renderToStaticMarkup(<Early name="a" />)).toThrow('before partsLoaded()');
});
