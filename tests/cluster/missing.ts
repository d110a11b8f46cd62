/** For `npm test`: prints the Debian packages that a market on several machines lacks here, and then ends with code 3. */
import { missingPackages } from './parts.ts';

const missing = missingPackages();
if (missing.length > 0) {
  console.log(missing.join(' '));
  process.exitCode = 3;
}
