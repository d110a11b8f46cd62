import QRCode from 'qrcode';
import { homeConf } from '#contract/dist.ts';
import type { Binding } from '#server/binding.ts';

/** The configuration of the distributor, and the QR code that leads a phone to the site of the requested host. */
export function bindDistributors({ server, http }: Binding): void {
  http.get('/art/qr/app.svg', async (request, reply) => {
    const code = await QRCode.toString(`${request.protocol}://${request.headers.host ?? ''}/h/`, {
      type: 'svg',
      margin: 0,
    });
    return await reply.header('cache-control', 'public, max-age=3600').type('image/svg+xml').send(code);
  });
  server.serve(homeConf, ({ dist }) => Promise.resolve(dist.conf));
}
