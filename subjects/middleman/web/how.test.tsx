import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { Welcome } from './how.tsx';

test('visitors are not offered private deals of boosting, which the server refuses', () => {
  const fee = { sellerBp: 500, sellerMax: '500.00', buyerBp: 100, min: '1.00', answerHours: 72, payHours: 24 };
  const shown = renderToStaticMarkup(
    <MemoryRouter>
      <Welcome fee={fee as never} login="/login" />
    </MemoryRouter>,
  );
  expect(shown).toContain('账号、金币、道具都可以');
  expect(shown).not.toMatch(/代练|陪玩/);
});
