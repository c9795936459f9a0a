import { z } from "zod";
import { mapOf } from "./map-of.ts";

/** What a model costs, in any currency, per million tokens: of what it reads, and of what it writes. */
export const Price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });
/** What a model costs, in any currency, per million tokens. */
export type Price = z.infer<typeof Price>;

/** Prices by the name of the model: `provider/model`, or `scripted`. All in one currency, which nobody asks for. */
export const Prices = mapOf(Price);
/** Prices by the name of the model. */
export type Prices = ReadonlyMap<string, Price>;

/** How many parts of one unit of money costs are counted in: whole numbers add up the same on every machine. */
export const costParts = 1_000_000;

/** The highest limit of a cost, in parts: a call that costs more is over it in any case. */
const costMax = 1_000_000_000 * costParts;

/** What this many tokens cost at a price, in parts of one unit; a part that is begun counts. */
export const costOf = ({ input, output }: { readonly input: number; readonly output: number }, price: Price): number =>
  // A price per million tokens is one per token in millionths. Binary fractions must not begin another part.
  Math.min(costMax, Math.ceil(Number((input * price.input + output * price.output).toPrecision(12))));

/** A cost in units of money. */
export const moneyOf = (parts: number): number => parts / costParts;
