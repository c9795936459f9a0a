import fc from "fast-check";

/**
 * Which values the properties are tried on. The same ones in every run, so that a change is never refused for a fault that was
 * there before it; `npm run test:random` takes new ones and is how such faults are found. TEAMCHART_TEST_SEED repeats a run.
 */
const given = process.env["TEAMCHART_TEST_SEED"];
const seed = given === "random" ? Math.trunc(Math.random() * 0x7f_ff_ff_ff) : Number(given ?? 20_261_201);
if (!Number.isSafeInteger(seed)) throw new Error(`TEAMCHART_TEST_SEED is a whole number or "random", not "${given}"`);
fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
