/** A fitted linear model: y = intercept + sum of weights × (x − means). */
export interface Linear {
  intercept: number;
  means: number[];
  weights: number[];
}

/** Column means and standard deviations; a constant column gets 1, so that its weight becomes 0. */
function scaleOf(rows: readonly Float64Array[], width: number): { means: number[]; sds: number[] } {
  const n = rows.length;
  const means = Array.from({ length: width }, () => 0);
  const sds = Array.from({ length: width }, () => 0);
  for (const row of rows) for (let j = 0; j < width; j++) means[j] = (means[j] ?? 0) + (row[j] ?? 0) / n;
  for (const row of rows)
    for (let j = 0; j < width; j++) sds[j] = (sds[j] ?? 0) + ((row[j] ?? 0) - (means[j] ?? 0)) ** 2 / n;
  return { means, sds: sds.map((v) => (v > 1e-9 ? Math.sqrt(v) : 1)) };
}

/** The lower triangle of the Cholesky factor of a positive definite matrix, row by row in one array. */
function cholesky(matrix: Float64Array, width: number): Float64Array {
  const lower = new Float64Array(width * width);
  for (let i = 0; i < width; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * width + j] ?? 0;
      for (let k = 0; k < j; k++) sum -= (lower[i * width + k] ?? 0) * (lower[j * width + k] ?? 0);
      lower[i * width + j] = i === j ? Math.sqrt(Math.max(sum, 1e-12)) : sum / (lower[j * width + j] ?? 1);
    }
  return lower;
}

function solve(lower: Float64Array, width: number, right: Float64Array): Float64Array {
  const y = Float64Array.from(right);
  for (let i = 0; i < width; i++) {
    let sum = y[i] ?? 0;
    for (let k = 0; k < i; k++) sum -= (lower[i * width + k] ?? 0) * (y[k] ?? 0);
    y[i] = sum / (lower[i * width + i] ?? 1);
  }
  for (let i = width - 1; i >= 0; i--) {
    let sum = y[i] ?? 0;
    for (let k = i + 1; k < width; k++) sum -= (lower[k * width + i] ?? 0) * (y[k] ?? 0);
    y[i] = sum / (lower[i * width + i] ?? 1);
  }
  return y;
}

export const FOLDS = 5;
/** Penalties that cross-validation chooses from; the weights of few sales are shrunk the most. */
const PENALTIES = [12, 40, 120, 360];

/** The rows prepared for ridge regression: scaled, with the products of their columns by fold; used for every penalty and target. */
interface Prepared {
  width: number;
  means: number[];
  sds: number[];
  scaled: Float64Array[];
  folds: readonly number[];
  grams: Float64Array[];
}

/**
 * Scales the rows. `folds` gives the fold of each row. Similar rows must be in the same fold: otherwise each would be predicted from the
 * others, and the residuals would be too small.
 */
export function prepare(rows: readonly Float64Array[], width: number, folds: readonly number[]): Prepared {
  const { means, sds } = scaleOf(rows, width);
  const scaled = rows.map((row) => row.map((x, j) => (x - (means[j] ?? 0)) / (sds[j] ?? 1)));
  const grams = Array.from({ length: FOLDS }, () => new Float64Array(width * width));
  scaled.forEach((z, i) => {
    const gram = grams[folds[i] ?? 0] ?? new Float64Array(0);
    for (let j = 0; j < width; j++) {
      const zj = z[j] ?? 0;
      for (let k = 0; k <= j; k++) gram[j * width + k] = (gram[j * width + k] ?? 0) + zj * (z[k] ?? 0);
    }
  });
  return { width, means, sds, scaled, folds, grams };
}

/** The sums over all rows except those of one fold. */
function without(parts: readonly Float64Array[], left: number | null): Float64Array {
  const sum = new Float64Array(parts[0]?.length ?? 0);
  parts.forEach((part, fold) => {
    if (fold !== left) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (part[i] ?? 0);
  });
  return sum;
}

function weightsOf(gram: Float64Array, moment: Float64Array, width: number, penalty: number): Float64Array {
  const matrix = Float64Array.from(gram);
  for (let j = 0; j < width; j++) matrix[j * width + j] = (matrix[j * width + j] ?? 0) + penalty;
  return solve(cholesky(matrix, width), width, moment);
}

/** Rounds of removing columns whose weight has the wrong sign; each removal changes the other weights slightly. */
const SIGN_ROUNDS = 8;
/** A penalty that forces a column's weight to zero. */
const OUT = 1e12;

/** Weights that all match their required sign; a column that would not is removed. A sign of 0 is unconstrained. */
function signedWeights(
  gram: Float64Array,
  moment: Float64Array,
  width: number,
  { penalty, signs }: { penalty: number; signs: Int8Array },
): Float64Array {
  const isWrong = (w: number, j: number): boolean => w * (signs[j] ?? 0) < 0;
  const matrix = Float64Array.from(gram);
  const right = Float64Array.from(moment);
  for (let round = 0; ; round++) {
    const weights = weightsOf(matrix, right, width, penalty);
    const wrong = [...weights.keys()].filter((j) => isWrong(weights[j] ?? 0, j) && right[j] !== 0);
    if (wrong.length === 0 || round === SIGN_ROUNDS)
      return weights.map((w, j) => (right[j] === 0 || isWrong(w, j) ? 0 : w));
    for (const j of wrong) {
      matrix[j * width + j] = OUT;
      right[j] = 0;
    }
  }
}

function momentsOf({ scaled, width, folds }: Prepared, centred: readonly number[]): Float64Array[] {
  const moments = Array.from({ length: FOLDS }, () => new Float64Array(width));
  scaled.forEach((z, i) => {
    const moment = moments[folds[i] ?? 0] ?? new Float64Array(0);
    const y = centred[i] ?? 0;
    for (let j = 0; j < width; j++) moment[j] = (moment[j] ?? 0) + (z[j] ?? 0) * y;
  });
  return moments;
}

const product = (weights: Float64Array, z: Float64Array): number =>
  weights.reduce((sum, w, j) => sum + w * (z[j] ?? 0), 0);

/** The model's value for one row. */
export function linearValue({ intercept, means, weights }: Linear, row: ArrayLike<number>): number {
  return weights.reduce((sum, w, j) => sum + w * ((row[j] ?? 0) - (means[j] ?? 0)), intercept);
}

export interface Fitted {
  model: Linear;
  /** By how much each row's target differs from a model fitted without it, in the order of the rows. */
  residuals: number[];
}

/**
 * Ridge regression whose penalty is chosen by five-fold cross-validation on the absolute error. The residuals come from the folds, so they
 * are as wide as those of sales that the model has not seen. With `signs`, every weight of the model matches its required sign.
 */
export function fitRidge(prepared: Prepared, ys: readonly number[], signs?: Int8Array): Fitted {
  const { width, means, sds, scaled, folds: foldOf, grams } = prepared;
  const intercept = ys.reduce((sum, y) => sum + y, 0) / Math.max(1, ys.length);
  const centred = ys.map((y) => y - intercept);
  const moments = momentsOf(prepared, centred);
  const folds = grams.map((_, fold) => ({ gram: without(grams, fold), moment: without(moments, fold) }));
  let best = { error: Number.POSITIVE_INFINITY, penalty: 1, residuals: [] as number[] };
  const missesOf = (models: readonly Float64Array[]): number[] =>
    scaled.map((z, i) => (centred[i] ?? 0) - product(models[foldOf[i] ?? 0] ?? new Float64Array(width), z));
  for (const penalty of PENALTIES) {
    const residuals = missesOf(folds.map(({ gram, moment }) => weightsOf(gram, moment, width, penalty)));
    const error = residuals.reduce((sum, r) => sum + Math.abs(r), 0);
    if (error < best.error) best = { error, penalty, residuals };
  }
  const { penalty } = best;
  const solved = (gram: Float64Array, moment: Float64Array): Float64Array =>
    signs ? signedWeights(gram, moment, width, { penalty, signs }) : weightsOf(gram, moment, width, penalty);
  const weights = solved(without(grams, null), without(moments, null));
  return {
    model: { intercept, means, weights: [...weights].map((w, j) => w / (sds[j] ?? 1)) },
    residuals: signs ? missesOf(folds.map(({ gram, moment }) => solved(gram, moment))) : best.residuals,
  };
}
