import QRCode from 'qrcode';
import { homeConf } from '#subjects/distributors/contract/dist.ts';
import type { Binding } from '#server/binding.ts';
import { beginPlanned } from './plans.ts';
import { bindBrandsStaff } from './staff/routes.ts';

/** The configuration of the distributor, and the QR code that leads a phone to the site of the requested host. */
export function bindDistributors(binding: Binding): void {
  const { ctx, server, http, effects } = binding;
  bindBrandsStaff(binding);
  effects.timer('brand.begin', (_ctx, distId) => beginPlanned(ctx, Number(distId)));
  http.get('/art/qr/app.svg', async (request, reply) => {
    const code = await QRCode.toString(`${request.protocol}://${request.headers.host ?? ''}/h/`, {
      type: 'svg',
      margin: 0,
    });
    return await reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(code);
  });
  server.serve(homeConf, ({ ctx, dist }) => Promise.resolve({ ...dist.conf, adverPosMap: ctx.dir.adverts(dist.id) }));
}
